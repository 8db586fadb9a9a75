package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.gpu.TestingNvidia;
import dev.fairlead.media.gpu.TestingNvidia.Entry;
import dev.fairlead.media.job.TestingCardsJob.Machine;
import dev.fairlead.media.job.TestingCardsJob.Work;
import dev.fairlead.media.job.TestingHosts.Ran;
import dev.fairlead.media.plan.VideoCodec;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ladders on cards that FFmpeg takes for NVIDIA's: whole jobs, confined workers, real files. */
class NvidiaLadderTest {
  @TempDir private static Path directory;
  @AutoClose private static TestingHosts hosts;

  /** Four cards of which nothing is wrong: what others have to come to, too. */
  private static Ran sound;

  @BeforeAll
  static void aSoundHost() throws Exception {
    hosts = TestingHosts.open();
    sound = run("sound", 4, host -> host.speed("*=5"));
  }

  private static Ran run(String name, int cards, UnaryOperator<TestingNvidia> as) throws Exception {
    return run(name, cards, VideoCodec.H264, as);
  }

  private static Ran run(String name, int cards, VideoCodec codec, UnaryOperator<TestingNvidia> as)
      throws Exception {
    return run(
        as.apply(hosts.host(name).cards(cards)),
        cards,
        new Work(TestingClips.usual(), directory.resolve(name), codec, ""));
  }

  private static Ran run(TestingNvidia host, int cards, Work work) throws Exception {
    return hosts.run(new Machine(host, cards, 0, List.of()), work);
  }

  @Test
  void cardsHaveOneContextEachAndShowEveryPictureAsItWas() {
    assertThat(sound.cardsThatEncoded()).containsExactly(0, 1, 2, 3);
    assertThat(sound.host().books("primary-retained"))
        .extracting(Entry::card)
        .containsExactlyInAnyOrder(0, 1, 2, 3);
    assertThat(sound.host().books("context-created")).isEmpty();
    assertThat(sound.host().books("session-closed"))
        .hasSameSizeAs(sound.host().books("session-opened"));
    assertThat(sound.host().books("session-closed"))
        .extracting(entry -> entry.value("inputs"))
        .containsOnly("16");
    assertThat(sound.host().books("session-pictures"))
        .extracting(entry -> entry.value("format"))
        .containsOnly("nv12");
    assertThat(TestingCardsJob.pictures(sound.output().resolve("180p/index.m3u8")))
        .isEqualTo(TestingCardsJob.pictures(TestingClips.usual()));
  }

  @Test
  void aCardThatIsLostOrCrashesInMidJobCostsNoPicture() throws Exception {
    // The first chunk waits for both rungs at once, so that both cards get some of it.
    Ran lost = run("lost", 2, host -> host.speed("*=5").faults("1=20:fail:20"));
    Ran crashed = run("crashed", 2, host -> host.speed("*=5").faults("1=20:crash:once"));

    assertThat(lost.host().books("fault")).isNotEmpty();
    assertThat(crashed.host().books("fault")).hasSize(1);
    assertThat(crashed.said()).contains("restarts 1");
    assertThat(TestingJobs.hashes(lost.output())).isEqualTo(TestingJobs.hashes(sound.output()));
    assertThat(TestingJobs.hashes(crashed.output())).isEqualTo(TestingJobs.hashes(sound.output()));
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 21})
  void whatAHostWithoutAFreeSessionRefusesWaits(int refusal) throws Exception {
    Ran limited = run("limited" + refusal, 2, host -> host.speed("*=10").sessions(1, refusal));

    assertThat(TestingJobs.hashes(limited.output())).isEqualTo(TestingJobs.hashes(sound.output()));
    assertThat(limited.said()).contains("restarts 0");
    assertThat(limited.host().books("primary-retained")).hasSize(2);
  }

  /** A host with two sessions in all: one that were kept would be missed by whoever comes next. */
  @Test
  void workersThatAreKilledLeaveNothingOnAnyCard() throws Exception {
    int chunks = Boolean.getBoolean("fairlead.full") ? 28 : 3;
    Path source =
        TestingClips.clip(
            "kills-%d.mp4".formatted(chunks),
            "-f lavfi -i testsrc2=s=320x180:r=30 -t %d -c:v libopenh264 -b:v 600k -g 30"
                .formatted(2 * chunks));
    String kills =
        IntStream.range(0, chunks)
            .mapToObj(chunk -> "kill@180p/" + chunk)
            .collect(Collectors.joining(","));
    TestingNvidia host = hosts.host("kills").cards(2).sessions(2, 10);

    Ran killed = run(host, 2, new Work(source, directory.resolve("kills"), VideoCodec.H264, kills));
    Ran after = run(host, 2, new Work(source, directory.resolve("after"), VideoCodec.H264, ""));

    // Two that are in a worker at the same time may be killed at once.
    assertThat(killed.restarts()).isBetween(chunks / 2, chunks);
    assertThat(after.said()).contains("restarts 0");
    assertThat(TestingJobs.hashes(after.output())).isEqualTo(TestingJobs.hashes(killed.output()));
    long pid = host.books("session-opened").getLast().pid();
    assertThat(host.books("session-opened").stream().filter(entry -> entry.pid() == pid))
        .hasSameSizeAs(
            host.books("session-closed").stream().filter(entry -> entry.pid() == pid).toList());
  }

  @Test
  void whereNoCardHasTheCodecTheReserveEncodesAndItIsSaidWhatACardCould() throws Exception {
    Ran ran = run("other", 2, VideoCodec.AV1, host -> host);

    assertThat(ran.said())
        .contains("No device can encode rung 180p")
        .contains("cpu:0 and cpu:1 encode instead; a GPU here encodes h264");
    TestingJobs.run(TestingJobs.request(TestingClips.usual(), directory.resolve("lanes")), "cpu:2");
    assertThat(TestingJobs.hashes(ran.output()))
        .isEqualTo(TestingJobs.hashes(directory.resolve("lanes")));
  }

  @Test
  void cardsWithoutTheCodecAreLeftOut() throws Exception {
    Ran ran = run("some", 4, host -> host.codecs("*=none,3=h264"));

    assertThat(ran.cardsThatEncoded()).containsExactly(3);
  }

  /** The interface of drivers from 570 on. */
  @Test
  void underAnOlderDriverCardsEncodeWithTheOlderFfmpeg() throws Exception {
    Ran older = run("older", 2, host -> host.driver("575.51.03").api("13.0"));

    assertThat(older.cardsThatEncoded()).containsExactly(0, 1);
    assertThat(older.said())
        .contains("NVIDIA's driver 575.51.03 is older than 610")
        .contains("restarts 0");
    assertThat(TestingCardsJob.pictures(older.output().resolve("180p/index.m3u8")))
        .isEqualTo(TestingCardsJob.pictures(sound.output().resolve("180p/index.m3u8")));
  }
}
