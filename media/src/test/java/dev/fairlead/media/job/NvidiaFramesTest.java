package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.choice.FramesChoice;
import dev.fairlead.media.gpu.TestingNvidia;
import dev.fairlead.media.gpu.TestingNvidia.Entry;
import dev.fairlead.media.job.TestingCardsJob.Machine;
import dev.fairlead.media.job.TestingCardsJob.Work;
import dev.fairlead.media.plan.VideoCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ladders whose pictures are scaled in the memory of cards that FFmpeg takes for NVIDIA's: whole
 * jobs, confined workers, real files. The doubles count what is copied, and which way.
 */
class NvidiaFramesTest {
  private static final String SMALLER = "160x90";

  @TempDir private Path directory;

  /** A confined worker can write here. */
  private Path books = Path.of("/dev/shm");

  @BeforeEach
  void aHost() throws IOException {
    books = Files.createTempDirectory(Path.of("/dev/shm"), "fairlead-frames");
  }

  @AfterEach
  void noHost() throws IOException {
    TestingFrames.remove(books);
  }

  private TestingFrames run(
      String name, int cards, FramesChoice frames, boolean proven, UnaryOperator<TestingNvidia> as)
      throws Exception {
    return run(TestingClips.usual(), name, cards, frames, proven, as);
  }

  private TestingFrames run(
      Path source,
      String name,
      int cards,
      FramesChoice frames,
      boolean proven,
      UnaryOperator<TestingNvidia> as)
      throws Exception {
    TestingNvidia plain = TestingNvidia.in(Files.createDirectory(books.resolve(name)));
    TestingNvidia host = as.apply(plain.cards(cards));
    return TestingFrames.run(
        new Machine(host, cards, 0, List.of()),
        new Work(source, directory.resolve(name), VideoCodec.H264, "", frames, proven, "cpu"));
  }

  @Test
  void everyPictureIsCopiedToACardOnceForAllRungsAndNothingBack() throws Exception {
    TestingFrames ran = run("device", 1, FramesChoice.DEVICE, false, host -> host);

    List<String> source = TestingCardsJob.pictures(TestingClips.usual());
    assertThat(ran.uploads()).isEqualTo(source.size());
    assertThat(ran.copies("down")).isEmpty();
    assertThat(ran.memory()).containsExactly("device");
    assertThat(ran.host().books("scaled").stream().filter(entry -> isFrom(entry, "320x180")))
        .as("each picture for each rung")
        .hasSize(2 * source.size());
    assertThat(ran.pictures("180p")).isEqualTo(source);
    assertThat(ran.pictures("90p")).hasSameSizeAs(source);
  }

  @Test
  void copiesGoWithTheirChunks() throws Exception {
    Path source =
        TestingClips.clip(
            "copies.mp4",
            "-f lavfi -i testsrc2=s=320x180:r=30 -t 20 -c:v libopenh264 -b:v 600k -g 30");
    TestingFrames ran = run(source, "long", 1, FramesChoice.DEVICE, false, host -> host);

    long size = 320 * 180 * 3 / 2;
    assertThat(ran.uploads()).isEqualTo(600);
    assertThat(
            ran.host().books("memory-reserved").stream()
                .filter(entry -> TestingFrames.bytes(entry) >= size))
        .as("memory is used again")
        .hasSizeLessThan(400);
  }

  private static boolean isFrom(Entry scaled, String size) {
    return scaled.value("from").equals(size);
  }

  @Test
  void cardsThatAreLostOrCrashInMidJobCostNoPicture() throws Exception {
    TestingFrames sound = run("sound", 2, FramesChoice.DEVICE, false, host -> host.speed("*=5"));
    TestingFrames lost =
        run(
            "lost",
            2,
            FramesChoice.DEVICE,
            false,
            host -> host.speed("*=5").faults("1=20:fail:20"));
    TestingFrames crashed =
        run(
            "crashed",
            2,
            FramesChoice.DEVICE,
            false,
            host -> host.speed("*=5").faults("1=20:crash:once"));

    assertThat(lost.host().books("fault")).isNotEmpty();
    assertThat(crashed.host().books("fault")).hasSize(1);
    assertThat(TestingJobs.hashes(lost.output())).isEqualTo(TestingJobs.hashes(sound.output()));
    assertThat(TestingJobs.hashes(crashed.output())).isEqualTo(TestingJobs.hashes(sound.output()));
    int pictures = sound.pictures("180p").size();
    assertThat(sound.uploads())
        .as("once for each card at most")
        .isBetween(1L * pictures, 2L * pictures);
    assertThat(sound.copies("down")).isEmpty();
  }

  @Test
  void withoutAProofFramesCrossTheHostAndWithOneTheyStay() throws Exception {
    TestingFrames unproven = run("unproven", 1, FramesChoice.AUTO, false, host -> host);
    TestingFrames proven = run("proven", 1, FramesChoice.AUTO, true, host -> host);
    TestingFrames refused = run("refused", 1, FramesChoice.HOST, true, host -> host);

    assertThat(unproven.memory()).containsExactly("host");
    assertThat(proven.memory()).containsExactly("device");
    assertThat(refused.memory()).containsExactly("host");
    assertThat(TestingJobs.hashes(refused.output()))
        .isEqualTo(TestingJobs.hashes(unproven.output()));
    assertThat(proven.pictures("180p")).isEqualTo(unproven.pictures("180p"));
  }

  /** The driver does not know the version of the kernels. */
  @Test
  void aCardThatCannotScaleCrossesTheHostOrDoesNotEncode() throws Exception {
    TestingFrames auto = run("auto", 1, FramesChoice.AUTO, true, host -> host.kernels("*=222"));
    TestingFrames some = run("some", 2, FramesChoice.DEVICE, false, host -> host.kernels("1=222"));
    TestingFrames none = run("none", 1, FramesChoice.DEVICE, false, host -> host.kernels("*=222"));

    assertThat(auto.said())
        .contains("Frames of cuda:0 cross the host, though its profile says otherwise: ")
        .contains("scale_cuda")
        .contains("restarts 0");
    assertThat(auto.memory()).contains("host");
    assertThat(auto.pictures("180p")).isEqualTo(TestingCardsJob.pictures(TestingClips.usual()));
    assertThat(some.host().books("scaled")).extracting(Entry::card).containsOnly(0);
    assertThat(none.said()).contains("cpu:0 and cpu:1 encode instead");
  }

  /** Levels of full range are not a card's work; what the processor makes of them is copied. */
  @Test
  void whatACardCannotScaleIsScaledByTheProcessor() throws Exception {
    Path source =
        TestingClips.clip(
            "full-range.mov",
            "-f lavfi -i testsrc2=s=320x180:r=30 -t 4 -pix_fmt yuvj420p -c:v mjpeg -q:v 3");
    TestingFrames device = run(source, "full", 1, FramesChoice.DEVICE, false, host -> host);
    TestingFrames host = run(source, "plain", 1, FramesChoice.HOST, false, each -> each);

    assertThat(device.memory()).containsExactly("device");
    assertThat(device.host().books("scaled"))
        .as("in trials only")
        .extracting(entry -> entry.value("from"))
        .doesNotContain("320x180");
    assertThat(TestingJobs.hashes(device.output())).isEqualTo(TestingJobs.hashes(host.output()));
  }

  @Test
  void aJobGoesOnTheOtherWay() throws Exception {
    Path output = directory.resolve("resumed");
    TestingNvidia host = TestingNvidia.in(Files.createDirectory(books.resolve("resumed"))).cards(1);
    Machine machine = new Machine(host, 1, 0, List.of());
    Work begun =
        new Work(
            TestingClips.usual(),
            output,
            VideoCodec.H264,
            "throw@90p/2x*",
            FramesChoice.HOST,
            false,
            "cpu");
    assertThat(TestingFrames.end(TestingCardsJob.start(machine, begun))).isNotZero();
    int before = host.books("session-closed").size();
    Work other =
        new Work(
            TestingClips.usual(), output, VideoCodec.H264, "", FramesChoice.DEVICE, false, "cpu");
    assertThat(TestingFrames.end(TestingCardsJob.start(machine, other))).isZero();

    TestingFrames ran = new TestingFrames(output, "", host);
    assertThat(ran.memory()).containsExactly("host", "device");
    assertThat(
            host.books("session-closed").stream().skip(before).mapToInt(NvidiaFramesTest::encoded))
        .as("trials, and what was left")
        .contains(60)
        .filteredOn(pictures -> pictures == 60)
        .hasSizeLessThan(6);
    assertThat(ran.pictures("180p")).isEqualTo(TestingCardsJob.pictures(TestingClips.usual()));
    assertThat(ran.pictures("90p")).hasSize(180);
  }

  private static int encoded(Entry closed) {
    return Integer.parseInt(closed.value("pictures"));
  }

  /** Its scaler has other kernels. */
  @Test
  void theOlderFfmpegScalesOnCardsToo() throws Exception {
    TestingFrames usual = run("usual", 1, FramesChoice.DEVICE, false, host -> host);
    TestingFrames older =
        run("older", 1, FramesChoice.DEVICE, false, host -> host.driver("575.51.03").api("13.0"));

    assertThat(older.memory()).containsExactly("device");
    assertThat(older.host().books("scaled"))
        .extracting(entry -> entry.value("to"))
        .contains(SMALLER);
    assertThat(older.pictures("90p")).isEqualTo(usual.pictures("90p"));
  }
}
