package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.nativecode.WindowSize;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LiveScreenTest {
  private static final int[] COLUMNS = {10, 40, 60, 80, 120, 200};
  private static final int[] ROWS = {2, 8, 12, 24, 60};
  private static final int[] LANES = {1, 2, 12, 64};

  static Stream<Arguments> windows() {
    List<Arguments> all = new ArrayList<>();
    for (int columns : COLUMNS) {
      for (int rows : ROWS) {
        for (int lanes : LANES) {
          all.add(Arguments.of(columns, rows, lanes));
        }
      }
    }
    return all.stream();
  }

  private static LiveScreen.Bar bar(String name, double share) {
    return new LiveScreen.Bar(name, share, "120.5 fps", "12.3 Mb/s", "1:02:05 left");
  }

  private static LiveScreen.Lane working(int number) {
    return new LiveScreen.Lane("cpu:" + number, List.of("1080p/000123"), number + 1, 7, 0);
  }

  private static LiveScreen screen(int rungs, int sounds, List<LiveScreen.Lane> lanes) {
    return new LiveScreen(
        bar("total", 0.4),
        "rungs",
        IntStream.range(0, rungs).mapToObj(i -> bar((i + 1) + "00p", 0.1 * i)).toList(),
        IntStream.range(0, sounds).mapToObj(i -> bar("audio" + i, 0.5)).toList(),
        lanes);
  }

  private static List<String> rows(LiveScreen screen, int columns, int rows) {
    return screen.rows(new WindowSize(columns, rows)).stream().map(StyledText::toString).toList();
  }

  @ParameterizedTest
  @MethodSource("windows")
  void fitsIntoEveryWindow(int columns, int rows, int lanes) {
    LiveScreen screen = screen(5, 3, IntStream.range(0, lanes).mapToObj(i -> working(i)).toList());

    List<String> shown = rows(screen, columns, rows);

    assertThat(shown).hasSizeBetween(1, rows - 1);
    assertThat(shown).allSatisfy(row -> assertThat(row.length()).isLessThan(columns));
    assertThat(shown.getFirst()).startsWith("total");
    if (rows >= 8) {
      assertThat(shown.getLast()).containsPattern("^(cpu:|[0-9]+ lanes)");
    }
  }

  @Test
  void sentencesAreBrokenBetweenWords() {
    assertThat(StyledText.wrapped("one two three", 7)).containsExactly("one two", "three");
    assertThat(StyledText.wrapped("one two", 7)).containsExactly("one two");
    assertThat(StyledText.wrapped("a unbreakable", 6)).containsExactly("a", "unbrea", "kable");
    assertThat(StyledText.wrapped("", 5)).containsExactly("");
  }

  @Test
  void everyColumnIsShownInAWideWindowAndTheTimeLeftInANarrowOne() {
    LiveScreen screen = screen(1, 0, List.of(working(0)));

    assertThat(rows(screen, 80, 24).get(1))
        .contains("120.5 fps", "12.3 Mb/s", "1:02:05 left")
        .hasSize(79);
    assertThat(rows(screen, 60, 24).get(1))
        .contains("120.5 fps", "1:02:05 left")
        .doesNotContain("Mb/s");
    assertThat(rows(screen, 40, 24).get(1)).contains("1:02:05 left").doesNotContain("fps");
  }

  @Test
  void lanesThatDoNotFitShareARowAndThoseThatFailOrTakeLongHaveTheirOwn() {
    List<LiveScreen.Lane> lanes = new ArrayList<>();
    for (int i = 0; i < 62; i++) {
      lanes.add(working(i + 2));
    }
    lanes.add(new LiveScreen.Lane("cpu:64", List.of(), 0, 3, 2));
    lanes.add(new LiveScreen.Lane("cpu:65", List.of("720p/000001"), 0.5, 3, 0));

    List<String> shown = rows(screen(2, 1, lanes), 80, 8);

    assertThat(shown).hasSize(7);
    assertThat(shown.get(4)).startsWith("cpu:64").endsWith("2 failed");
    assertThat(shown.get(5)).startsWith("cpu:65").contains("720p/000001");
    assertThat(shown.get(6)).startsWith("62 lanes").contains("62 work, 0 wait", "434 chunks");
  }

  @Test
  void lanesThatOnlyWaitShareARowBeforeOthersDo() {
    List<LiveScreen.Lane> lanes = new ArrayList<>(List.of(working(0), working(1)));
    for (int i = 2; i < 64; i++) {
      lanes.add(new LiveScreen.Lane("cpu:" + i, List.of(), 0, 0, 0));
    }

    List<String> shown = rows(screen(2, 1, lanes), 80, 24);

    assertThat(shown.subList(4, shown.size())).hasSize(3);
    assertThat(shown.getLast()).startsWith("62 lanes").contains("0 work, 62 wait");
    assertThat(rows(screen(2, 1, lanes.subList(0, 12)), 80, 24)).hasSize(4 + 12);
  }

  @Test
  void rungsThatDoNotFitShareARowAndThoseThatAreBehindHaveTheirOwn() {
    List<String> shown = rows(screen(9, 2, List.of(working(0), working(1))), 80, 8);

    assertThat(shown).hasSize(7);
    assertThat(shown.get(1)).startsWith("100p ");
    assertThat(shown.get(2)).startsWith("200p ");
    assertThat(shown.get(4)).startsWith("6 rungs").contains("55 %");
    assertThat(shown.get(5)).startsWith("2 audio");
    assertThat(shown.get(6)).startsWith("2 lanes");
  }

  @Test
  void oneOfAThingIsNotCalledSeveral() {
    LiveScreen.Lane lane = new LiveScreen.Lane("cuda:0", List.of(), 0, 1, 0);

    assertThat(rows(screen(1, 0, List.of(lane)), 80, 24).getLast()).endsWith("1 chunk");
  }

  private static LiveScreen.Bar quiet(String name, String state) {
    return new LiveScreen.Bar(name, 0, "", "", state);
  }

  @Test
  void longNamesOfJobsAreToldApart() {
    LiveScreen screen =
        new LiveScreen(
            bar("total", 0.4),
            "jobs",
            List.of(bar("a_series_episode_01.mp4", 0.5), bar("a_series_episode_02.mp4", 0.5)),
            List.of(),
            List.of(working(0)));

    assertThat(rows(screen, 80, 24).subList(1, 3))
        .allSatisfy(row -> assertThat(row).hasSize(79))
        .extracting(row -> row.substring(0, row.indexOf(" [")))
        .containsExactly("a_series_~de_01.mp4", "a_series_~de_02.mp4");
    assertThat(rows(screen, 40, 24)).allSatisfy(row -> assertThat(row.length()).isLessThan(40));
  }

  @Test
  void jobsThatWaitOrAreOverShareARowBeforeThoseThatRun() {
    List<LiveScreen.Bar> jobs = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      jobs.add(quiet("waiting" + i, "waits"));
    }
    jobs.add(bar("running", 0.9));
    LiveScreen screen =
        new LiveScreen(bar("total", 0.4), "jobs", jobs, List.of(), List.of(working(0)));

    assertThat(rows(screen, 80, 6)).anyMatch(row -> row.startsWith("running"));
    assertThat(rows(screen, 80, 6)).anyMatch(row -> row.startsWith("8 jobs"));
  }
}
