package dev.fairlead.media.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.plan.Pumps;
import dev.fairlead.media.settings.BudgetSize;
import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Report;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What decoding may use changes while it runs, and the chunks are the same. */
@Timeout(120)
class DecodeSharesTest {
  private static final String PICTURE = "-f lavfi -i testsrc2=s=160x90:r=25 ";
  private static final Pumps ONE = Pumps.one();

  /** Three chunks are more than there may be: what is above goes with them, and is told then. */
  @Test
  void aSmallerShareIsReportedWhenChunksWereReleased() throws Exception {
    Path source = TestingClips.clip("padded.mp4", PICTURE + "-t 12 -c:v mpeg4 -g 25");
    HeldChunks chunks = new HeldChunks();
    LinkedBlockingQueue<Report> reports = new LinkedBlockingQueue<>();
    Thread decoding = decode(source, 3, chunks, reports);
    await(reports, new Report.Ready(2, Optional.empty()));
    chunks.resize(new Command.Resize(1, new BudgetSize(9, 2_000_000), 1, true));
    chunks.release(0);
    chunks.release(1);
    assertThat(reports).doesNotContain(new Report.Within(1));
    chunks.release(2);
    List<Report> all = drain(chunks, reports);
    assertThat(all).containsOnlyOnce(new Report.Within(1)).doesNotContain(new Report.Within(0));
    assertThat(all).filteredOn(Report.Ready.class::isInstance).hasSize(3);
    assertThat(decoding.join(TestingReaders.PATIENCE)).as("decoding has ended").isTrue();
  }

  @Test
  void aSmallerShareIsReportedAfterTheEndOfDecodingToo() throws Exception {
    Path source = TestingClips.clip("padded.mp4", PICTURE + "-t 12 -c:v mpeg4 -g 25");
    HeldChunks chunks = new HeldChunks();
    LinkedBlockingQueue<Report> reports = new LinkedBlockingQueue<>();
    Thread decoding = decode(source, 9, chunks, reports);
    assertThat(decoding.join(TestingReaders.PATIENCE)).as("decoding has ended").isTrue();
    chunks.resize(new Command.Resize(1, new BudgetSize(9, 2_000_000), 1, true));
    assertThat(reports).doesNotContain(new Report.Within(1));
    for (long chunk = 0; chunk < 6; chunk++) {
      chunks.release(chunk);
    }
    assertThat(reports).containsOnlyOnce(new Report.Within(1));
  }

  @Test
  void aLargerShareLetsDecodingGoOnAndAnOlderOneIsPassedOver() throws Exception {
    Path source = TestingClips.clip("padded.mp4", PICTURE + "-t 12 -c:v mpeg4 -g 25");
    HeldChunks chunks = new HeldChunks();
    LinkedBlockingQueue<Report> reports = new LinkedBlockingQueue<>();
    chunks.resize(new Command.Resize(7, BudgetSize.ofChunks(1), 1, true));
    Thread decoding = decode(source, 9, chunks, reports);
    await(reports, new Report.Ready(0, Optional.empty()));
    chunks.resize(new Command.Resize(9, BudgetSize.ofChunks(3), 1, true));
    chunks.resize(new Command.Resize(8, BudgetSize.ofChunks(1), 1, true));
    await(reports, new Report.Ready(2, Optional.empty()));
    List.of(0L, 1L, 2L).forEach(chunks::release);
    drain(chunks, reports);
    assertThat(decoding.join(TestingReaders.PATIENCE)).as("decoding has ended").isTrue();
  }

  private static void await(BlockingQueue<Report> reports, Report wanted)
      throws InterruptedException {
    Report seen = TestingReaders.next(reports);
    while (!seen.equals(wanted)) {
      seen = TestingReaders.next(reports);
    }
  }

  private static Thread decode(
      Path source, int room, HeldChunks chunks, BlockingQueue<Report> reports) {
    Command.Decode command =
        TestingDecoding.whole(
            TestingDecoding.command(TestingDecoding.request(source), ONE, room, Set.of()));
    return Thread.ofPlatform().daemon().start(() -> chunks.decode(command, reports::add));
  }

  /** Releases every chunk that comes, to the end. */
  private static List<Report> drain(HeldChunks chunks, BlockingQueue<Report> reports)
      throws InterruptedException {
    List<Report> seen = new ArrayList<>();
    do {
      seen.add(TestingReaders.next(reports));
      if (seen.getLast() instanceof Report.Ready ready) {
        TestingReaders.drop(chunks, ready.chunk());
      }
    } while (!(seen.getLast() instanceof Report.Decoded));
    return seen;
  }

  /**
   * Readers wait for every chunk: there are as many pumps as may be, which is one, two, and one.
   */
  @Test
  void pumpsComeAndGoAsTheShareSays() throws Exception {
    Path source =
        TestingClips.clip("span-long.mkv", PICTURE + "-t 120 -c:v mpeg2video -bf 2 -g 15");
    Command.Decode command =
        TestingDecoding.command(TestingDecoding.request(source), new Pumps(1, 1, 2), 9, Set.of());
    HeldChunks chunks = new HeldChunks();
    List<Report> reports = Collections.synchronizedList(new ArrayList<>());
    AtomicInteger ready = new AtomicInteger();
    chunks.decode(
        command,
        report -> {
          reports.add(report);
          if (report instanceof Report.Ready chunk) {
            if (ready.incrementAndGet() == 20) {
              chunks.resize(new Command.Resize(1, BudgetSize.ofChunks(9), 2, false));
            }
            TestingReaders.awaitWaiting(
                Thread.ofPlatform()
                    .daemon()
                    .start(() -> TestingReaders.drop(chunks, chunk.chunk())));
          } else if (report.equals(new Report.Pumping(2))) {
            chunks.resize(new Command.Resize(2, BudgetSize.ofChunks(9), 1, false));
          }
        });
    assertThat(reports).containsOnlyOnce(new Report.Pumping(2));
    int second = reports.indexOf(new Report.Pumping(2));
    assertThat(reports.subList(0, second))
        .as("before there may be two")
        .filteredOn(Report.Ready.class::isInstance)
        .hasSizeGreaterThanOrEqualTo(20);
    assertThat(reports.indexOf(new Report.Within(2)))
        .as("one of two has ended with its span")
        .isBetween(second, reports.size() - 2);
    assertThat(reports).filteredOn(Report.Ready.class::isInstance).hasSize(60);
  }

  @Test
  void howOftenTheShareChangesDoesNotShow() throws Exception {
    Path source =
        TestingClips.clip("span-b.mp4", PICTURE + "-t 20 -c:v mpeg4 -bf 2 -g 37 -b:v 400k");
    SplittableRandom random = new SplittableRandom(23);
    AtomicLong shares = new AtomicLong();
    TestingDecoding changed =
        TestingDecoding.run(
            TestingDecoding.command(
                TestingDecoding.request(source), new Pumps(3, 3, 2), 4, Set.of()),
            2,
            chunks -> {
              synchronized (random) {
                chunks.resize(
                    new Command.Resize(
                        shares.incrementAndGet(),
                        new BudgetSize(
                            1 + random.nextInt(4), 2_000_000 + random.nextInt(7_000_000)),
                        1 + random.nextInt(3),
                        random.nextBoolean()));
              }
            });
    assertThat(changed.digests())
        .isEqualTo(
            TestingDecoding.run(
                    TestingDecoding.command(TestingDecoding.request(source), ONE, 4, Set.of()), 2)
                .digests());
  }
}
