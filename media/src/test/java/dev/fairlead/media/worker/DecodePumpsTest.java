package dev.fairlead.media.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.plan.Pumps;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.settings.BudgetSize;
import dev.fairlead.media.source.Rational;
import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Failure;
import dev.fairlead.media.wire.Report;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** However many pumps decode a source, its chunks are the same to the last bit. */
@Timeout(120)
class DecodePumpsTest {
  private static final String PICTURE = "-f lavfi -i testsrc2=s=160x90:r=25 ";
  private static final Pumps ONE = Pumps.one();
  private static final Duration PATIENCE = Duration.ofSeconds(50);

  /** Spans of two chunks, four seconds. */
  private static final Pumps THREE = new Pumps(3, 3, 2);

  private static TestingDecoding run(Path source, Pumps pumps) throws Exception {
    return run(TestingDecoding.request(source), pumps, 4, Set.of());
  }

  private static TestingDecoding run(
      TranscodeRequest request, Pumps pumps, int room, Set<Long> finished) throws Exception {
    return TestingDecoding.run(TestingDecoding.command(request, pumps, room, finished), 2);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          span-open.mkv    | -t 20 -c:v mpeg2video -bf 2 -g 15 -b:v 400k
          span-open.mov    | -t 20 -c:v mpeg2video -bf 2 -g 37 -b:v 400k
          span-open.ts     | -t 20 -c:v mpeg2video -bf 2 -g 37 -b:v 400k
          span-b.mp4       | -t 20 -c:v mpeg4 -bf 2 -g 37 -b:v 400k
          span-h264.mp4    | -t 20 -c:v libopenh264 -g 30 -b:v 300k
          span-long.mp4    | -t 20 -c:v libopenh264 -g 1000 -b:v 300k
          span-vp9.webm    | -t 20 -c:v libvpx-vp9 -b:v 200k -cpu-used 8 -deadline realtime -auto-alt-ref 1 -lag-in-frames 16 -g 70
          span-av1.mkv     | -t 20 -c:v libsvtav1 -preset 13 -g 70 -svtav1-params irefresh-type=1
          span-intra.mkv   | -t 20 -c:v ffv1
          span-uneven.mkv  | -t 20 -vf select=not(mod(n\\,3))+not(mod(n\\,7)) -fps_mode vfr -c:v mpeg4 -bf 2 -g 40
          span-gaps.mkv    | -t 30 -vf select=lt(mod(t\\,7)\\,1.3) -fps_mode vfr -c:v mpeg2video -bf 2 -g 20
          span-late.mkv    | -t 20 -c:v mpeg2video -bf 2 -g 40 -output_ts_offset 3.7
          """)
  void severalPumpsGiveWhatOneGives(String name, String arguments) throws Exception {
    Path source = TestingClips.clip(name, PICTURE + arguments);
    TestingDecoding one = run(source, ONE);
    TestingDecoding three = run(source, THREE);
    assertThat(three.digests()).isEqualTo(one.digests());
    assertThat(three.digests()).hasSizeGreaterThan(4);
    assertThat(three.end().frames()).isEqualTo(one.end().frames());
    assertThat(three.end().damagedPackets()).isEqualTo(one.end().damagedPackets());
    assertThat(one.end().leadIn()).isZero();
    if (!name.contains("intra")) {
      assertThat(three.end().leadIn()).isPositive();
    }
  }

  @Test
  void anEditedFileAnExcerptAndALargestFrameRateAreSplitAlike() throws Exception {
    Path whole =
        TestingClips.clip("span-b.mp4", PICTURE + "-t 20 -c:v mpeg4 -bf 2 -g 37 -b:v 400k");
    Path edited = TestingClips.clip("span-edit.mp4", "-ss 1.3 -i " + whole + " -c copy");
    assertThat(run(edited, THREE).digests()).isEqualTo(run(edited, ONE).digests());
    TranscodeRequest excerpt =
        TestingDecoding.request(whole)
            .withStart(Duration.ofMillis(2_500))
            .withEnd(Duration.ofMillis(17_300))
            .withMaxFps(new Rational(10, 1));
    TestingDecoding one = run(excerpt, ONE, 4, Set.of());
    TestingDecoding three = run(excerpt, THREE, 4, Set.of());
    assertThat(three.digests()).isEqualTo(one.digests()).hasSize(8);
    assertThat(three.end().frames()).isEqualTo(one.end().frames());
  }

  /** A lie about its duration must not make a pump look for pictures in every second of it. */
  @ParameterizedTest
  @CsvSource({"1", "3"})
  void nobodyLooksForPicturesAfterTheEndOfTheSource(int pumps) throws Exception {
    Path source =
        TestingClips.clip("span-open.mkv", PICTURE + "-t 20 -c:v mpeg2video -bf 2 -g 15 -b:v 400k");
    Command.Decode honest =
        TestingDecoding.command(
            TestingDecoding.request(source), new Pumps(pumps, 3, 2), 4, Set.of());
    Command.Decode lying = TestingDecoding.claiming(honest, 1_000);
    TestingDecoding made = TestingDecoding.run(lying, 2);
    assertThat(made.digests()).isEqualTo(run(source, ONE).digests());
    assertThat(made.end().leadIn()).as("pictures decoded in vain").isLessThan(200);
  }

  @Test
  void chunksAreInOrderUpToWhatIsReportedAsSuch() throws Exception {
    Path source =
        TestingClips.clip(
            "span-gaps.mkv",
            PICTURE
                + "-t 30 -vf select=lt(mod(t\\,7)\\,1.3) -fps_mode vfr -c:v mpeg2video -bf 2 -g 20");
    Set<Long> finished = Set.of(3L, 4L, 7L);
    TestingDecoding made = run(TestingDecoding.request(source), THREE, 4, finished);
    TestingDecoding one = run(TestingDecoding.request(source), ONE, 4, Set.of());
    TreeSet<Long> all = new TreeSet<>(one.digests().keySet());
    TreeSet<Long> seen = new TreeSet<>();
    long before = 0;
    for (Report report : made.reports()) {
      switch (report) {
        case Report.Ready ready -> seen.add(ready.chunk());
        case Report.Passed passed -> seen.add(passed.chunk());
        case Report.Ordered ordered -> {
          before = Math.max(before, ordered.before());
          assertThat(seen.headSet(before)).isEqualTo(all.headSet(before));
        }
        default -> {}
      }
    }
    assertThat(before).isEqualTo(Long.MAX_VALUE);
    assertThat(made.digests().keySet())
        .isEqualTo(
            all.stream().filter(chunk -> !finished.contains(chunk)).collect(Collectors.toSet()));
  }

  /** Whoever reads asks for a picture that no chunk has, and so waits for every chunk. */
  @Test
  void whenReadersWaitAgainAndAgainThereAreMorePumps() throws Exception {
    Path source =
        TestingClips.clip("span-minute.mkv", PICTURE + "-t 60 -c:v mpeg2video -bf 2 -g 15");
    Command.Decode command =
        TestingDecoding.command(TestingDecoding.request(source), new Pumps(1, 3, 2), 9, Set.of());
    HeldChunks chunks = new HeldChunks();
    List<Report> reports = Collections.synchronizedList(new ArrayList<>());
    chunks.decode(
        command,
        report -> {
          reports.add(report);
          if (report instanceof Report.Ready ready) {
            Thread reader =
                Thread.ofPlatform()
                    .daemon()
                    .start(() -> TestingReaders.drop(chunks, ready.chunk()));
            TestingReaders.awaitWaiting(reader);
          }
        });
    assertThat(reports).contains(new Report.Pumping(2), new Report.Pumping(3));
    assertThat(reports).filteredOn(Report.Ready.class::isInstance).hasSize(30);
    assertThat(reports.getLast())
        .isInstanceOfSatisfying(
            Report.Decoded.class,
            end -> {
              assertThat(end.frames()).isEqualTo(1_500);
              assertThat(end.leadIn()).isPositive();
            });
  }

  /** A decoder pads pictures of this height, so a chunk is larger than one would think. */
  @Test
  @Timeout(60)
  void asManyChunksBeginAsThereIsRoomForAndNoMore() throws Exception {
    Path source = TestingClips.clip("padded.mp4", PICTURE + "-t 12 -c:v mpeg4 -g 25");
    Command.Decode command =
        TestingDecoding.whole(
            TestingDecoding.command(TestingDecoding.request(source), Pumps.one(), 3, Set.of()));
    HeldChunks chunks = new HeldChunks();
    LinkedBlockingQueue<Report> reports = new LinkedBlockingQueue<>();
    Thread decoding =
        Thread.ofPlatform().daemon().start(() -> chunks.decode(command, reports::add));
    List<Long> ready = new ArrayList<>();
    long held = 0;
    for (Report report = TestingReaders.next(reports);
        !(report instanceof Report.Decoded);
        report = TestingReaders.next(reports)) {
      if (report instanceof Report.Ready each) {
        ready.add(each.chunk());
        if (++held == 3) {
          held--;
          TestingReaders.drop(chunks, ready.get(ready.size() - 3));
        }
      }
    }
    assertThat(decoding.join(PATIENCE)).as("decoding has ended").isTrue();
    assertThat(ready).containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
  }

  @Test
  void withRoomForOneChunkOnlyAllPumpsComeToTheirEnd() throws Exception {
    Path source =
        TestingClips.clip("span-h264.mp4", PICTURE + "-t 20 -c:v libopenh264 -g 30 -b:v 300k");
    TestingDecoding made = run(TestingDecoding.request(source), THREE, 0, Set.of());
    assertThat(made.digests()).hasSize(10);
  }

  /** Four seconds at 5 pictures a second, two at 100: no chunk of the second kind was foreseen. */
  private static Command.Decode uneven(BudgetSize room) {
    Path source =
        TestingClips.clip(
            "burst.mkv",
            "-f lavfi -i testsrc2=s=160x90:r=100 -t 8"
                + " -vf select=not(mod(n\\,20))+between(t\\,4\\,5.9) -fps_mode vfr"
                + " -c:v mpeg4 -g 40");
    Command.Decode usual =
        TestingDecoding.command(TestingDecoding.request(source), Pumps.one(), 9, Set.of());
    return new Command.Decode(
        usual.order(),
        usual.cards(),
        usual.grid(),
        usual.timeline(),
        usual.maxFps(),
        10,
        usual.finished(),
        room,
        usual.rungs(),
        usual.done(),
        usual.pumps(),
        usual.share(),
        usual.chunks(),
        usual.whole());
  }

  @Test
  void picturesThatNobodyExpectedAreCountedToo() throws Exception {
    TestingDecoding all = TestingDecoding.run(uneven(BudgetSize.ofChunks(1)), 1);
    int most =
        all.digests().values().stream()
            .mapToInt(each -> Integer.parseInt(each.substring(0, each.indexOf(' '))))
            .max()
            .orElseThrow();
    assertThat(most).isGreaterThan(90);
    long picture = 160 * 90 * 3 / 2;
    assertThat(all.end().peakBytes()).isGreaterThanOrEqualTo(most * picture);
    BudgetSize enough = new BudgetSize(3, all.end().peakBytes());
    TestingDecoding again = TestingDecoding.run(uneven(enough), 1);
    assertThat(again.digests()).isEqualTo(all.digests());
    assertThat(again.end().peakBytes()).isEqualTo(enough.bytes());
  }

  private static void dropOrTell(HeldChunks chunks, long chunk, CompletableFuture<String> told) {
    try {
      TestingReaders.drop(chunks, chunk);
    } catch (CancellationException gone) {
      told.complete(gone.getMessage());
    }
  }

  @Test
  void aChunkThatOutgrowsAllRoomEndsDecodingWithTheFigure() throws Exception {
    HeldChunks chunks = new HeldChunks();
    List<Report> reports = Collections.synchronizedList(new ArrayList<>());
    CompletableFuture<String> told = new CompletableFuture<>();
    chunks.decode(
        uneven(new BudgetSize(3, 1 << 20)),
        report -> {
          reports.add(report);
          if (report instanceof Report.Ready ready) {
            Thread.ofPlatform().daemon().start(() -> dropOrTell(chunks, ready.chunk(), told));
          }
        });
    assertThat(told.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .isEqualTo("Chunk 2 could not be decoded to its end");
    assertThat(reports.getLast())
        .isInstanceOfSatisfying(
            Report.DecodeFailed.class,
            failed -> {
              assertThat(failed.failure().kind()).isEqualTo(Failure.Kind.NO_ROOM);
              assertThat(failed.failure().reason())
                  .matches(
                      ".*: chunk 2 has more than \\d\\d pictures, which are 1(\\.\\d)? MiB,"
                          + " and all pictures together may be 1 MiB");
            });
  }
}
