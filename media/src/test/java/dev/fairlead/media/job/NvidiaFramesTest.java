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
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
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
    try (Stream<Path> all = Files.walk(books)) {
      for (Path each : all.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(each);
      }
    }
  }

  /** What a job has left: its files, what it said, and the books of the host. */
  private record Ran(Path output, String said, TestingNvidia host) {
    List<Entry> copies(String direction) {
      return host.books("plane-copied").stream()
          .filter(entry -> entry.value("direction").equals(direction))
          .toList();
    }

    /** Pictures of the source that were copied to cards; those of trials are smaller. */
    long uploads() {
      long largest = copies("up").stream().mapToLong(NvidiaFramesTest::bytes).max().orElse(0);
      return copies("up").stream().filter(entry -> bytes(entry) == largest).count();
    }

    List<String> pictures(String rung) {
      return TestingCardsJob.pictures(output.resolve(rung + "/index.m3u8"));
    }

    List<String> memory() {
      return host.books("session-pictures").stream()
          .map(entry -> entry.value("memory"))
          .distinct()
          .toList();
    }
  }

  private static long bytes(Entry copied) {
    return Long.parseLong(copied.value("bytes"));
  }

  private Ran run(
      String name, int cards, FramesChoice frames, boolean proven, UnaryOperator<TestingNvidia> as)
      throws Exception {
    return run(TestingClips.usual(), name, cards, frames, proven, as);
  }

  private Ran run(
      Path source,
      String name,
      int cards,
      FramesChoice frames,
      boolean proven,
      UnaryOperator<TestingNvidia> as)
      throws Exception {
    Path output = directory.resolve(name);
    TestingNvidia plain = TestingNvidia.in(Files.createDirectory(books.resolve(name)));
    TestingNvidia host = as.apply(plain.cards(cards));
    Process job =
        TestingCardsJob.start(
            new Machine(host, cards, 0, List.of()),
            new Work(source, output, VideoCodec.H264, "", frames, proven));
    try {
      assertThat(job.waitFor(3, TimeUnit.MINUTES)).isTrue();
    } finally {
      job.destroyForcibly();
    }
    String said = Files.readString(directory.resolve(name + ".log"));
    assertThat(job.exitValue()).as(said).isZero();
    assertThat(host.books())
        .extracting(Entry::event)
        .noneMatch(event -> event.startsWith("misuse"));
    return new Ran(output, said, host);
  }

  @Test
  void everyPictureIsCopiedToACardOnceForAllRungsAndNothingBack() throws Exception {
    Ran ran = run("device", 1, FramesChoice.DEVICE, false, host -> host);

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
    Ran ran = run(source, "long", 1, FramesChoice.DEVICE, false, host -> host);

    long size = 320 * 180 * 3 / 2;
    assertThat(ran.uploads()).isEqualTo(600);
    assertThat(ran.host().books("memory-reserved").stream().filter(entry -> bytes(entry) >= size))
        .as("memory is used again")
        .hasSizeLessThan(400);
  }

  private static boolean isFrom(Entry scaled, String size) {
    return scaled.value("from").equals(size);
  }

  @Test
  void cardsThatAreLostOrCrashInMidJobCostNoPicture() throws Exception {
    Ran sound = run("sound", 2, FramesChoice.DEVICE, false, host -> host.speed("*=5"));
    Ran lost =
        run(
            "lost",
            2,
            FramesChoice.DEVICE,
            false,
            host -> host.speed("*=5").faults("1=20:fail:20"));
    Ran crashed =
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
    Ran unproven = run("unproven", 1, FramesChoice.AUTO, false, host -> host);
    Ran proven = run("proven", 1, FramesChoice.AUTO, true, host -> host);
    Ran refused = run("refused", 1, FramesChoice.HOST, true, host -> host);

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
    Ran auto = run("auto", 1, FramesChoice.AUTO, true, host -> host.kernels("*=222"));
    Ran some = run("some", 2, FramesChoice.DEVICE, false, host -> host.kernels("1=222"));
    Ran none = run("none", 1, FramesChoice.DEVICE, false, host -> host.kernels("*=222"));

    assertThat(auto.said())
        .contains(
            "Frames of cuda:0 cross the host, though 'fairlead doctor' has proven otherwise: ")
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
    Ran device = run(source, "full", 1, FramesChoice.DEVICE, false, host -> host);
    Ran host = run(source, "plain", 1, FramesChoice.HOST, false, each -> each);

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
            false);
    assertThat(end(TestingCardsJob.start(machine, begun))).isNotZero();
    int before = host.books("session-closed").size();
    Work other =
        new Work(TestingClips.usual(), output, VideoCodec.H264, "", FramesChoice.DEVICE, false);
    assertThat(end(TestingCardsJob.start(machine, other))).isZero();

    Ran ran = new Ran(output, "", host);
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

  private static int end(Process job) throws InterruptedException {
    try {
      assertThat(job.waitFor(3, TimeUnit.MINUTES)).isTrue();
      return job.exitValue();
    } finally {
      job.destroyForcibly();
    }
  }

  /** Its scaler has other kernels. */
  @Test
  void theOlderFfmpegScalesOnCardsToo() throws Exception {
    Ran usual = run("usual", 1, FramesChoice.DEVICE, false, host -> host);
    Ran older =
        run("older", 1, FramesChoice.DEVICE, false, host -> host.driver("575.51.03").api("13.0"));

    assertThat(older.memory()).containsExactly("device");
    assertThat(older.host().books("scaled"))
        .extracting(entry -> entry.value("to"))
        .contains(SMALLER);
    assertThat(older.pictures("90p")).isEqualTo(usual.pictures("90p"));
  }
}
