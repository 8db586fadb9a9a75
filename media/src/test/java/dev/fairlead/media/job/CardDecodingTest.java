package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.choice.FramesChoice;
import dev.fairlead.media.gpu.TestingNvidia;
import dev.fairlead.media.job.TestingCardsJob.Machine;
import dev.fairlead.media.job.TestingCardsJob.Work;
import dev.fairlead.media.plan.VideoCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ladders whose pictures are decoded by a card that FFmpeg takes for NVIDIA's, and stay in its
 * memory: whole jobs, confined workers, real files. The doubles count what is copied, and which
 * way.
 */
class CardDecodingTest {
  private static final int PICTURES = 180;
  private static final int CHUNK = 60;
  private static final String IN_SOFTWARE = "The job decodes in software";

  @TempDir private Path directory;

  /** A confined worker can write here. */
  private Path books = Path.of("/dev/shm");

  @BeforeEach
  void aHost() throws IOException {
    books = Files.createTempDirectory(Path.of("/dev/shm"), "fairlead-decoding");
  }

  @AfterEach
  void noHost() throws IOException {
    TestingFrames.remove(books);
  }

  private TestingFrames run(
      String name, int cards, FramesChoice frames, UnaryOperator<TestingNvidia> as)
      throws Exception {
    return run(TestingClips.usual(), name, cards, frames, as);
  }

  private TestingFrames run(
      Path source, String name, int cards, FramesChoice frames, UnaryOperator<TestingNvidia> as)
      throws Exception {
    TestingNvidia plain = TestingNvidia.in(Files.createDirectory(books.resolve(name)));
    return TestingFrames.run(
        new Machine(as.apply(plain.cards(cards)), cards, 0, List.of()),
        new Work(source, directory.resolve(name), VideoCodec.H264, "", frames, true, "cuda:0"));
  }

  private static Path longer() {
    return TestingClips.clip(
        "decoded.mp4",
        "-f lavfi -i testsrc2=s=320x180:r=30 -t 20 -c:v libopenh264 -b:v 600k -g 30");
  }

  @Test
  void picturesThatACardDecodesScalesAndEncodesNeverLeaveIt() throws Exception {
    TestingFrames ran = run("stays", 1, FramesChoice.AUTO, host -> host);

    assertThat(ran.pictures("up", 0)).isZero();
    assertThat(ran.pictures("down", 0)).isZero();
    assertThat(ran.memory()).containsExactly("device");
    assertThat(
            ran.host().books("scaled").stream()
                .filter(entry -> entry.value("from").equals("320x180")))
        .as("each picture for each rung")
        .hasSize(2 * PICTURES);
    List<String> source = TestingCardsJob.pictures(TestingClips.usual());
    assertThat(ran.pictures("180p")).isEqualTo(source);
    assertThat(ran.pictures("90p")).hasSameSizeAs(source);
    assertThat(ran.said()).contains("restarts 0").doesNotContain(IN_SOFTWARE);
  }

  @Test
  void picturesOfChunksThatGoToAnotherCardAreCopiedOnceEachWay() throws Exception {
    TestingFrames alone = run(longer(), "alone", 1, FramesChoice.DEVICE, host -> host);
    TestingFrames ran = run(longer(), "moved", 2, FramesChoice.DEVICE, host -> host.speed("*=4"));

    assertMoved(ran, ran.pictures("up", 1));
    assertThat(ran.pictures("up", 0)).isZero();
    assertThat(ran.pictures("down", 1)).isZero();
    assertThat(TestingJobs.hashes(ran.output())).isEqualTo(TestingJobs.hashes(alone.output()));
  }

  /** Both rungs of a chunk read what was brought to the host once. */
  @Test
  void aCardThatDoesNotScaleReadsWhatWasBroughtToTheHostOnce() throws Exception {
    TestingFrames ran =
        run(longer(), "host", 2, FramesChoice.AUTO, host -> host.speed("*=4").kernels("1=222"));

    assertMoved(ran, ran.pictures("down", 0));
    assertThat(ran.memory()).contains("host", "device");
    assertThat(ran.pictures("180p")).isEqualTo(TestingCardsJob.pictures(longer()));
  }

  /** What is copied are the pictures of chunks that went to the other card, each once. */
  private static void assertMoved(TestingFrames ran, long copied) {
    Set<Integer> committed = ran.chunks("ended", "cuda:1");
    Set<Integer> begun = ran.chunks("began", "cuda:1");
    assertThat(committed).as(ran.said()).isNotEmpty();
    // A second copy of a unit that ends first cuts the other short.
    assertThat(copied)
        .as("committed %s, begun %s".formatted(committed, begun))
        .isBetween((long) CHUNK * committed.size(), (long) CHUNK * begun.size());
    assertThat(ran.pictures("down", 0)).isEqualTo(copied);
    assertThat(ran.said()).contains("restarts 0").doesNotContain(IN_SOFTWARE);
  }

  @Test
  void theCardThatDecodesIsLostOrCrashesAndNoPictureIsLost() throws Exception {
    TestingFrames sound = run("sound", 2, FramesChoice.DEVICE, host -> host.speed("*=5"));
    TestingFrames failed =
        run("failed", 2, FramesChoice.DEVICE, host -> host.speed("*=5").faults("0=20:fail:20"));
    TestingFrames gone =
        run("gone", 2, FramesChoice.DEVICE, host -> host.speed("*=5").faults("0=20:gone:20"));
    TestingFrames crashed =
        run("crashed", 2, FramesChoice.DEVICE, host -> host.speed("*=5").faults("0=20:crash:once"));

    for (TestingFrames each : List.of(failed, gone, crashed)) {
      assertThat(each.host().books("fault")).isNotEmpty();
      assertThat(TestingJobs.hashes(each.output())).isEqualTo(TestingJobs.hashes(sound.output()));
    }
    assertThat(gone.said()).contains(IN_SOFTWARE);
    assertThat(failed.said()).as("it still gives its pictures out").contains("restarts 0");
  }

  @Test
  void aDecoderThatFailsInMidJobLeavesItToSoftware() throws Exception {
    TestingFrames sound = run("sound", 1, FramesChoice.DEVICE, host -> host);
    TestingFrames failed = run("failed", 1, FramesChoice.DEVICE, host -> host.decodes("0=100"));

    assertThat(failed.said()).contains(IN_SOFTWARE).contains("restarts 1");
    assertThat(failed.pictures("up", 0)).as("from then on").isPositive();
    assertThat(TestingJobs.hashes(failed.output())).isEqualTo(TestingJobs.hashes(sound.output()));
  }

  @Test
  void aCardHasNoMoreChunksThanItsMemoryTakes() throws Exception {
    TestingFrames small =
        run(longer(), "small", 1, FramesChoice.DEVICE, host -> host.memory("*=48"));
    TestingFrames smaller =
        run(longer(), "smaller", 1, FramesChoice.DEVICE, host -> host.memory("*=16"));

    assertThat(small.pictures("down", 0)).as("some fit").isZero();
    assertThat(smaller.pictures("down", 0)).as("not one fits").isEqualTo(600);
    for (TestingFrames each : List.of(small, smaller)) {
      assertThat(each.host().books("memory-refused")).isEmpty();
      assertThat(each.said()).contains("restarts 0").doesNotContain(IN_SOFTWARE);
    }
    assertThat(TestingJobs.hashes(smaller.output())).isEqualTo(TestingJobs.hashes(small.output()));
  }

  @Test
  void framesThatCrossTheHostAreBroughtThereAsTheyAreDecoded() throws Exception {
    TestingFrames ran = run("host", 1, FramesChoice.HOST, host -> host);

    assertThat(ran.pictures("down", 0)).isEqualTo(PICTURES);
    assertThat(ran.memory()).containsExactly("host");
    assertThat(ran.pictures("180p")).isEqualTo(TestingCardsJob.pictures(TestingClips.usual()));
  }

  /** Its scaler has other kernels. */
  @Test
  void theOlderFfmpegKeepsWhatItDecodesToo() throws Exception {
    TestingFrames usual = run("usual", 1, FramesChoice.DEVICE, host -> host);
    TestingFrames older =
        run("older", 1, FramesChoice.DEVICE, host -> host.driver("575.51.03").api("13.0"));

    assertThat(older.pictures("up", 0)).isZero();
    assertThat(older.pictures("down", 0)).isZero();
    assertThat(older.pictures("90p")).isEqualTo(usual.pictures("90p"));
  }
}
