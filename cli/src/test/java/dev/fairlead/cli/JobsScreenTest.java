package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Discovery;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.job.TranscodeListener.Event;
import dev.fairlead.media.local.JobOrder;
import dev.fairlead.media.plan.MemoryParts;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.nativecode.WindowSize;
import dev.fairlead.pool.DevicePool;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The screen of several jobs, of events made by hand. */
class JobsScreenTest {
  private static final Device LANE = Device.of(DeviceKind.CPU, 0);
  private static final UnitId UNIT = new UnitId("180p", 3);

  private final DevicePool pool = DevicePool.open(Discovery.find("cpu:1"));
  private final StringWriter terminal = new StringWriter();
  private WindowSize window = new WindowSize(80, 24);
  private final JobsScreen screen = new JobsScreen(new PrintWriter(terminal), false, () -> window);
  private final JobOrder first = order("first.mp4");
  private final JobOrder second = order("second.mp4");
  private final TranscodeListener ofFirst = screen.of(first);
  private final TranscodeListener ofSecond = screen.of(second);

  @AfterEach
  void closePool() {
    pool.close();
  }

  private JobOrder order(String input) {
    return JobOrder.of(
        TranscodeRequest.of(Path.of(input), Path.of("out", input)), JobOptions.usual(pool));
  }

  private void plan(TranscodeListener job) {
    job.on(
        new Event.Planned(
            RunFilesTest.plan(), List.of(LANE), 0, new MemoryParts(1L << 30, 0, 0, 0, 0)));
  }

  /** What was drawn last. */
  private List<String> drawn() {
    String text = terminal.toString();
    return text.substring(text.lastIndexOf("total")).lines().toList();
  }

  @Test
  void jobsAreThereFromTheBeginningAndWait() {
    assertThat(drawn()).hasSize(3);
    assertThat(drawn().get(1)).startsWith("first.mp4").endsWith("waits");
    assertThat(drawn().get(2)).startsWith("second.mp4").endsWith("waits");
  }

  @Test
  void lanesShowWhatTheyDoForWhichJobUntilItIsNotDoneAnyMore() {
    plan(ofFirst);
    plan(ofSecond);
    ofFirst.on(new Event.Started(1, UNIT, LANE, 1));
    ofSecond.on(new Event.Noticed(1, "something"));
    assertThat(drawn().getLast()).startsWith("cpu:0").contains("first.mp4 180p/000003");

    ofFirst.on(new Event.Noticed(2, "The worker is gone", List.of(UNIT)));
    assertThat(drawn().getLast()).startsWith("cpu:0    waits");

    ofFirst.on(new Event.Started(3, UNIT, LANE, 1));
    TranscodeException failure = new TranscodeException.Unreadable("It ends too soon");
    screen.failed(JobsDisplay.End.failed(first, 3, failure), 4, failure);
    assertThat(drawn().getLast()).startsWith("cpu:0    waits");
    assertThat(drawn().get(1)).startsWith("first.mp4").endsWith("failed");
    assertThat(terminal.toString()).contains("fairlead: first.mp4: It ends too soon");
  }

  @Test
  void whatIsParkedIsSaidOnce() {
    TranscodeException cancelled = new TranscodeException.Cancelled();
    List<JobsDisplay.End> ends =
        List.of(
            JobsDisplay.End.failed(first, 130, cancelled),
            JobsDisplay.End.failed(second, 130, cancelled));
    ends.forEach(end -> screen.failed(end, 4, cancelled));
    screen.over(ends, 130, 4);

    assertThat(terminal.toString())
        .containsOnlyOnce("The same command goes on")
        .contains("0 of 2 done in 4.0 s; look in out\n")
        .doesNotContain("fairlead: ");
  }

  @Test
  void aWindowOfAnotherSizeIsClearedAndNoticesArePrintedAgain() {
    plan(ofFirst);
    assertThat(terminal.toString()).doesNotContain("\033[H");
    window = new WindowSize(40, 12);
    ofSecond.on(new Event.Noticed(1, "something"));

    String after = terminal.toString().substring(terminal.toString().lastIndexOf("\033[H"));
    assertThat(after).contains("first.mp4: becomes 180p on cpu:0", "second.mp4: something");
    assertThat(after.lines()).allSatisfy(row -> assertThat(row.length()).isLessThan(48));
  }
}
