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
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ladders whose pictures are decoded by a card that FFmpeg and the system's libva take for Intel's,
 * and stay in its memory: whole jobs, confined workers, real files. The driver counts what is
 * decoded, scaled and copied.
 */
class VaapiDecodingTest {
  private static final int PICTURES = 180;
  private static final int CHUNK = 60;
  private static final String IN_SOFTWARE = "The job decodes in software";

  @TempDir private Path directory;
  @AutoClose private TestingHosts hosts;

  @BeforeEach
  void noHostYet() throws IOException {
    hosts = TestingHosts.open();
  }

  /** The first of so many cards decodes. */
  private TestingFrames run(
      String name, int cards, FramesChoice frames, UnaryOperator<TestingNvidia> as)
      throws Exception {
    // Beside a card of CUDA, which encodes nothing, a worker may write the books.
    TestingNvidia host = as.apply(hosts.host(name).cards(1).codecs("*=none"));
    return TestingFrames.run(
        new Machine(host, 1, 0, TestingHosts.nodes(host, cards)),
        new Work(
            TestingClips.usual(),
            directory.resolve(name),
            VideoCodec.H264,
            "",
            frames,
            true,
            "encoder:0"));
  }

  /** Pictures that were copied one way since decoding began; those of trials come before that. */
  private static long copies(TestingFrames ran, String direction, int card) {
    List<Entry> books = ran.host().books();
    int begun = books.indexOf(ran.host().books("va-decoded").getFirst());
    return books.subList(begun, books.size()).stream()
        .filter(entry -> entry.event().equals("va-copied"))
        .filter(entry -> entry.value("direction").equals(direction))
        .filter(entry -> entry.value("node").endsWith("renderD" + (128 + card)))
        .count();
  }

  private static List<String> source() {
    return TestingCardsJob.pictures(TestingClips.usual());
  }

  @Test
  void picturesThatACardDecodesScalesAndEncodesNeverLeaveIt() throws Exception {
    TestingFrames host = run("host", 1, FramesChoice.HOST, each -> each);
    TestingFrames ran = run("stays", 1, FramesChoice.AUTO, each -> each);

    assertThat(copies(host, "down", 0)).as("as they are decoded").isEqualTo(PICTURES);
    assertThat(ran.host().books("va-decoded")).hasSize(PICTURES);
    assertThat(copies(ran, "up", 0)).isZero();
    assertThat(copies(ran, "down", 0)).isZero();
    assertThat(ran.host().books("va-scaled"))
        .filteredOn(entry -> entry.value("from").equals("320x180"))
        .as("for the smaller rung")
        .hasSize(PICTURES);
    assertThat(ran.pictures("180p")).isEqualTo(host.pictures("180p")).isEqualTo(source());
    assertThat(ran.pictures("90p")).hasSize(PICTURES);
    assertThat(ran.said()).contains("restarts 0").doesNotContain(IN_SOFTWARE);
    assertThat(ran.host().books("va-session-closed"))
        .as("decoders, scalers and encoders")
        .hasSameSizeAs(ran.host().books("va-session-opened"));
  }

  @Test
  void picturesOfChunksThatGoToAnotherCardAreCopiedOnceEachWay() throws Exception {
    TestingFrames ran = run("moved", 2, FramesChoice.DEVICE, each -> each);

    Set<Integer> committed = ran.chunks("ended", "encoder:1");
    Set<Integer> begun = ran.chunks("began", "encoder:1");
    assertThat(begun).as(ran.said()).isNotEmpty();
    // A second copy of a unit that ends first cuts the other short.
    assertThat(copies(ran, "down", 0))
        .as("committed %s, begun %s".formatted(committed, begun))
        .isBetween((long) CHUNK * committed.size(), (long) CHUNK * begun.size());
    assertThat(copies(ran, "up", 1)).isEqualTo(copies(ran, "down", 0));
    assertThat(copies(ran, "up", 0)).isZero();
    assertThat(copies(ran, "down", 1)).isZero();
    assertThat(ran.pictures("180p")).isEqualTo(source());
    assertThat(ran.said()).contains("restarts 0").doesNotContain(IN_SOFTWARE);
  }

  @Test
  void aCardThatFailsOrCrashesInMidJobOrDoesNotDecodeCostsNoPicture() throws Exception {
    TestingFrames sound = run("sound", 1, FramesChoice.DEVICE, each -> each);
    TestingFrames failed =
        run("failed", 1, FramesChoice.DEVICE, host -> host.vaapi("DECODES", "0=100:fail"));
    TestingFrames crashed =
        run("crashed", 1, FramesChoice.DEVICE, host -> host.vaapi("DECODES", "0=100:crash:once"));
    TestingFrames lost =
        run("lost", 2, FramesChoice.DEVICE, host -> host.vaapi("FAULTS", "0=20:fail"));
    TestingFrames without =
        run("without", 1, FramesChoice.DEVICE, host -> host.vaapi("LACKS", "0=decoding"));

    for (TestingFrames each : List.of(failed, crashed, lost)) {
      assertThat(each.host().books("va-fault")).isNotEmpty();
    }
    assertThat(without.host().books("va-decoded")).isEmpty();
    for (TestingFrames each : List.of(failed, lost, without)) {
      assertThat(each.said()).contains(IN_SOFTWARE);
    }
    for (TestingFrames each : List.of(failed, crashed, lost, without)) {
      assertThat(each.pictures("180p")).isEqualTo(source());
      assertThat(each.pictures("90p")).isEqualTo(sound.pictures("90p"));
    }
  }
}
