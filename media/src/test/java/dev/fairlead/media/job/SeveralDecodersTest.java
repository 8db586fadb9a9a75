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
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ladders whose source is decoded by four cards that FFmpeg takes for NVIDIA's, each in spans of
 * its own: whole jobs, confined workers, real files.
 */
class SeveralDecodersTest {
  private static final int CARDS = 4;
  private static final int PICTURES = 600;
  private static final String IN_SOFTWARE = "The job decodes in software";

  @TempDir private Path directory;
  @AutoClose private TestingHosts hosts;

  @BeforeEach
  void noHostYet() throws IOException {
    hosts = TestingHosts.open();
  }

  private TestingFrames run(String name, String decoder, UnaryOperator<TestingNvidia> as)
      throws Exception {
    return TestingFrames.run(
        new Machine(as.apply(hosts.host(name).cards(CARDS)), CARDS, 0, List.of()),
        new Work(
            source(),
            directory.resolve(name),
            VideoCodec.H264,
            "",
            FramesChoice.AUTO,
            true,
            decoder));
  }

  /** Ten chunks, so that there are spans for all. */
  private static Path source() {
    return TestingClips.clip(
        "decoded.mp4",
        "-f lavfi -i testsrc2=s=320x180:r=30 -t 20 -c:v libopenh264 -b:v 600k -g 30");
  }

  private static List<Integer> decoders(List<Entry> books) {
    return books.stream()
        .filter(entry -> entry.event().equals("decoder-opened"))
        .map(Entry::card)
        .distinct()
        .sorted()
        .toList();
  }

  @Test
  void everyCardDecodesSpansOfItsOwnAndNoPictureIsBroughtToTheHostTwice() throws Exception {
    TestingFrames one = run("one", "cuda:0", host -> host);
    TestingFrames ran = run("every", TestingCardsJob.EVERY, host -> host.speed("*=4"));

    assertThat(decoders(one.host().books())).containsExactly(0);
    assertThat(decoders(ran.host().books())).containsExactly(0, 1, 2, 3);
    assertThat(ran.host().books("decoder-closed"))
        .hasSameSizeAs(ran.host().books("decoder-opened"));
    assertThat(IntStream.range(0, CARDS).mapToLong(card -> ran.pictures("down", card)).sum())
        .isLessThanOrEqualTo(PICTURES);
    assertThat(ran.host().books("primary-retained"))
        .extracting(entry -> entry.pid() + " " + entry.card())
        .as("one context for each card and worker")
        .doesNotHaveDuplicates();
    assertThat(TestingJobs.hashes(ran.output())).isEqualTo(TestingJobs.hashes(one.output()));
    assertThat(ran.pictures("180p")).isEqualTo(TestingCardsJob.pictures(source()));
    assertThat(ran.said()).contains("restarts 0").doesNotContain(IN_SOFTWARE);
  }

  @Test
  void aCardThatFailsToDecodeLeavesItsSpansToTheOthers() throws Exception {
    TestingFrames ran = run("failed", TestingCardsJob.EVERY, host -> host.decodes("2=30"));

    List<Entry> books = ran.host().books();
    long second = books.getLast().pid();
    assertThat(ran.said())
        .contains("cuda 2 decodes no more")
        .contains("restarts 1")
        .doesNotContain(IN_SOFTWARE);
    assertThat(decoders(books)).containsExactly(0, 1, 2, 3);
    assertThat(decoders(books.stream().filter(entry -> entry.pid() == second).toList()))
        .as("in the worker after it")
        .isNotEmpty()
        .doesNotContain(2);
    assertThat(ran.pictures("180p")).isEqualTo(TestingCardsJob.pictures(source()));
  }
}
