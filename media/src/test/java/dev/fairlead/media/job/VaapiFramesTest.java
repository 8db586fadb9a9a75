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
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ladders whose pictures are scaled in the memory of cards that FFmpeg and the system's libva take
 * for Intel's: whole jobs, confined workers, real files. The driver counts what is copied, and
 * which way.
 */
class VaapiFramesTest {
  private static final int PICTURES = 180;
  private static final String LARGER = "320x180";
  private static final String SMALLER = "160x90";

  @TempDir private Path directory;
  @AutoClose private TestingHosts hosts;

  @BeforeEach
  void noHostYet() throws IOException {
    hosts = TestingHosts.open();
  }

  private TestingHosts.Ran run(
      String name, int cards, FramesChoice frames, boolean proven, UnaryOperator<TestingNvidia> as)
      throws Exception {
    // Beside a card of CUDA, which encodes nothing, a worker may write the books.
    TestingNvidia host = as.apply(hosts.host(name).cards(1).codecs("*=none"));
    return hosts.run(
        new Machine(host, 1, 0, TestingHosts.nodes(host, cards)),
        new Work(
            TestingClips.usual(),
            directory.resolve(name),
            VideoCodec.H264,
            "",
            frames,
            proven,
            "cpu"));
  }

  private static List<String> pictures(TestingHosts.Ran ran, String rung) {
    return TestingCardsJob.pictures(ran.output().resolve(rung + "/index.m3u8"));
  }

  /** Sizes of pictures that were copied one way; those of trials, which come first, are smaller. */
  private static List<String> copies(TestingHosts.Ran ran, String direction) {
    return ran.host().books("va-copied").stream()
        .dropWhile(entry -> !size(entry).equals(LARGER))
        .filter(entry -> entry.value("direction").equals(direction))
        .map(VaapiFramesTest::size)
        .toList();
  }

  private static String size(Entry copied) {
    return copied.value("width") + "x" + copied.value("height");
  }

  private static long count(List<String> sizes, String size) {
    return sizes.stream().filter(size::equals).count();
  }

  private static long scaled(TestingHosts.Ran ran) {
    return ran.host().books("va-scaled").stream()
        .filter(entry -> entry.value("from").equals(LARGER) && entry.value("to").equals(SMALLER))
        .count();
  }

  /** Encoders, scalers and images are closed; surfaces are those that copies of chunks had. */
  private static void assertNothingLeft(TestingHosts.Ran ran) {
    assertThat(ran.host().books("va-session-closed"))
        .hasSameSizeAs(ran.host().books("va-session-opened"));
    List<Entry> left = ran.host().books("va-left");
    assertThat(left).isNotEmpty();
    for (String kind : List.of("buffers", "images", "contexts", "configs")) {
      assertThat(left).extracting(entry -> entry.value(kind)).as(kind).containsOnly("0");
    }
  }

  @Test
  void everyPictureIsCopiedToACardOnceForAllRungsAndNothingBack() throws Exception {
    TestingHosts.Ran ran = run("device", 1, FramesChoice.DEVICE, false, host -> host);

    assertThat(count(copies(ran, "up"), LARGER)).isEqualTo(PICTURES);
    assertThat(copies(ran, "up")).as("what is scaled there").doesNotContain(SMALLER);
    assertThat(copies(ran, "down")).isEmpty();
    assertThat(scaled(ran)).isEqualTo(PICTURES);
    List<String> source = TestingCardsJob.pictures(TestingClips.usual());
    assertThat(pictures(ran, "180p")).isEqualTo(source);
    assertThat(pictures(ran, "90p")).hasSameSizeAs(source);
    assertThat(ran.restarts()).isZero();
    assertNothingLeft(ran);
  }

  @Test
  void cardsThatAreLostOrCrashInMidJobCostNoPicture() throws Exception {
    TestingHosts.Ran sound = run("sound", 2, FramesChoice.DEVICE, false, host -> host);
    TestingHosts.Ran lost =
        run("lost", 2, FramesChoice.DEVICE, false, host -> host.vaapi("FAULTS", "1=20:fail"));
    TestingHosts.Ran crashed =
        run(
            "crashed",
            2,
            FramesChoice.DEVICE,
            false,
            host -> host.vaapi("FAULTS", "1=20:crash:once"));

    assertThat(count(copies(sound, "up"), LARGER))
        .as("once for each card at most")
        .isBetween(1L * PICTURES, 2L * PICTURES);
    assertNothingLeft(sound);
    assertThat(lost.host().books("va-fault")).isNotEmpty();
    assertThat(crashed.host().books("va-fault")).hasSize(1);
    assertThat(crashed.restarts()).isOne();
    for (TestingHosts.Ran each : List.of(sound, lost, crashed)) {
      assertThat(copies(each, "down")).isEmpty();
      assertThat(copies(each, "up")).containsOnly(LARGER);
      assertThat(TestingJobs.hashes(each.output())).isEqualTo(TestingJobs.hashes(sound.output()));
    }
  }

  @Test
  void withoutAProofFramesCrossTheHostAndWithOneTheyStay() throws Exception {
    TestingHosts.Ran unproven = run("unproven", 1, FramesChoice.AUTO, false, host -> host);
    TestingHosts.Ran proven = run("proven", 1, FramesChoice.AUTO, true, host -> host);

    assertThat(count(copies(unproven, "up"), SMALLER)).isGreaterThanOrEqualTo(PICTURES);
    assertThat(unproven.host().books("va-scaled")).isEmpty();
    assertThat(copies(proven, "up")).containsOnly(LARGER);
    assertThat(pictures(proven, "180p")).isEqualTo(pictures(unproven, "180p"));
  }

  /** A driver without video processing. */
  @Test
  void aCardThatCannotScaleCrossesTheHostOrDoesNotEncode() throws Exception {
    UnaryOperator<TestingNvidia> both = host -> host.vaapi("LACKS", "*=processing");
    TestingHosts.Ran auto = run("auto", 1, FramesChoice.AUTO, true, both);
    TestingHosts.Ran some =
        run("some", 2, FramesChoice.DEVICE, false, host -> host.vaapi("LACKS", "1=processing"));
    TestingHosts.Ran none = run("none", 1, FramesChoice.DEVICE, false, both);

    assertThat(auto.said())
        .contains("Frames of encoder:0 cross the host, though its profile says otherwise: ")
        .contains("scale_vaapi");
    assertThat(auto.restarts()).isZero();
    assertThat(pictures(auto, "180p")).isEqualTo(TestingCardsJob.pictures(TestingClips.usual()));
    assertThat(some.host().books("va-picture"))
        .extracting(entry -> entry.value("node").replaceFirst(".*renderD", ""))
        .containsOnly("128");
    assertThat(none.said()).contains("cpu:0 and cpu:1 encode instead");
  }
}
