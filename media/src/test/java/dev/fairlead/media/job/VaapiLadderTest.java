package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.gpu.TestingNvidia;
import dev.fairlead.media.job.TestingCardsJob.Machine;
import dev.fairlead.media.job.TestingCardsJob.Work;
import dev.fairlead.media.plan.VideoCodec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ladders on cards that FFmpeg and the system's libva take for Intel's: whole jobs, confined
 * workers, real files. The driver is made for the system's version of libva, as all are.
 */
class VaapiLadderTest {
  @TempDir private Path directory;
  @AutoClose private TestingHosts hosts;

  @BeforeEach
  void noHostYet() throws IOException {
    hosts = TestingHosts.open();
  }

  private String run(TestingNvidia host, int nvidia, int lanes, List<Path> nodes) throws Exception {
    return hosts
        .run(
            new Machine(host, nvidia, lanes, nodes),
            new Work(TestingClips.usual(), directory.resolve("out"), VideoCodec.H264, ""))
        .said();
  }

  private List<String> nodesOf(TestingNvidia host, String event) {
    return host.books(event).stream()
        .map(entry -> entry.value("node"))
        .distinct()
        .sorted()
        .toList();
  }

  @Test
  void everyCardIsOpenedOnceByItsOwnNodeAndShowsPicturesAsTheyWere() throws Exception {
    // Beside a card of CUDA, which encodes nothing, a worker may write the books.
    TestingNvidia host = hosts.host("mixed").cards(1).codecs("*=none");
    List<Path> nodes = TestingHosts.nodes(host, 2);
    List<String> names = nodes.stream().map(Path::toString).toList();

    run(host, 1, 0, nodes);

    assertThat(host.books("va-opened"))
        .extracting(entry -> entry.value("node"))
        .containsExactlyInAnyOrderElementsOf(names);
    assertThat(nodesOf(host, "va-picture")).isEqualTo(names);
    assertThat(host.books("va-session-closed"))
        .isNotEmpty()
        .hasSameSizeAs(host.books("va-session-opened"));
    assertThat(TestingCardsJob.pictures(directory.resolve("out/180p/index.m3u8")))
        .isEqualTo(TestingCardsJob.pictures(TestingClips.usual()));
  }

  /** Which of them work on a rung depends on what their encoders promise; the pictures do not. */
  @Test
  void cardsOfSeveralVendorsAndLanesMakeOneLadder() throws Exception {
    TestingNvidia host = hosts.host("mixed").cards(2);

    String said = run(host, 2, 1, TestingHosts.nodes(host, 1));

    assertThat(host.books("va-session-opened")).as("trials at least").isNotEmpty();
    assertThat(host.books("session-opened")).as("trials at least").isNotEmpty();
    assertThat(said).contains("restarts 0");
    assertThat(TestingJobs.times(directory.resolve("out/180p/index.m3u8")))
        .hasSameSizeAs(TestingJobs.times(TestingClips.usual()));
  }
}
