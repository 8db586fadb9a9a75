package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.media.TestingClips;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of tracks beside the first, and how a job ends whose files cannot be written. */
class TracksTest {
  private static final String PICTURE = "-f lavfi -i testsrc2=s=160x90:r=25 ";

  @TempDir private Path directory;

  @Test
  void furtherVideoTracksAreToldOf() throws Exception {
    Path source =
        TestingClips.clip(
            "angles.mkv",
            PICTURE
                + "-f lavfi -i testsrc=s=96x54:r=25 -t 1 -map 0 -map 1 -map 1 -c:v libopenh264");
    List<TranscodeListener.Event> events = Collections.synchronizedList(new ArrayList<>());
    TestingJobs.run(
        TestingJobs.request(source, directory.resolve("out")),
        "cpu:1",
        ChaosPlan.none(),
        Duration.ofSeconds(60),
        events::add);
    assertThat(events)
        .filteredOn(TranscodeListener.Event.Planned.class::isInstance)
        .singleElement()
        .satisfies(planned ->
            assertThat(((TranscodeListener.Event.Planned) planned).plan().notes())
                .anyMatch(note -> note.contains("1, 2") && note.contains("left out")));
  }

  @Test
  void forcedSubtitlesStayForced() throws Exception {
    Path words =
        Files.writeString(
            directory.resolve("words.srt"), "1\n00:00:00,100 --> 00:00:00,800\nHello\n\n");
    Path source =
        TestingClips.clip(
            "forced.mkv",
            PICTURE
                + "-i "
                + words
                + " -i "
                + words
                + " -t 1 -map 0 -map 1 -map 2 -c:v libopenh264 -c:s srt"
                + " -disposition:s:0 0 -disposition:s:1 forced");
    Path output = directory.resolve("out");
    TestingJobs.run(TestingJobs.request(source, output), "cpu:1");
    assertThat(Files.readAllLines(output.resolve("master.m3u8")))
        .filteredOn(line -> line.contains("TYPE=SUBTITLES"))
        .satisfiesExactly(
            first -> assertThat(first).contains("FORCED=NO"),
            second -> assertThat(second).contains("FORCED=YES"));
  }

  @Test
  void filesThatCannotBeWrittenAreAMatterOfStorageWithTheReason() throws Exception {
    Path output = Files.createDirectory(directory.resolve("out"));
    Path inTheWay = Files.writeString(output.resolve("180p"), "mine");
    assertThatThrownBy(
            () -> TestingJobs.run(TestingJobs.request(TestingClips.usual(), output), "cpu:1"))
        .isInstanceOf(TranscodeException.Storage.class)
        .hasMessageContaining(inTheWay.toString())
        .hasMessageContaining("something else is there already");
    assertThat(inTheWay).hasContent("mine");
  }
}
