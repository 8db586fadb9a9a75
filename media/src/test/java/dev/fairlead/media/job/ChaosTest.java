package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.TestingFfmpeg;
import dev.fairlead.media.plan.EncodingChoice;
import dev.fairlead.media.plan.MaxRates;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.plan.VideoCodec;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.wire.Chaos;
import dev.fairlead.units.ServiceOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever fails on the way, the output has the bytes of an undisturbed run, or is not there. */
class ChaosTest {
  private static final String BY_CHANCE = "throw@30%,seed=9";
  private static final List<String> RUNGS = List.of("180p", "90p");
  private static final int CHUNKS = 3;

  @TempDir private static Path shared;
  private static SortedMap<String, String> undisturbed = Collections.emptySortedMap();

  @TempDir private Path directory;

  @BeforeAll
  static void runUndisturbed() throws Exception {
    Path output = shared.resolve("undisturbed");
    TestingJobs.run(TestingJobs.request(TestingClips.usual(), output), "cpu:2");
    undisturbed = TestingJobs.hashes(output);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "throw@1",
        "lie@180p/0,lie@90p/2",
        "memory@0",
        "garble@1",
        "kill@180p/1",
        "throw@0.5sx2",
        "crash@1",
        "crash@90p/0x2",
        "hang@180p/1",
        "lost@180p/1"
      })
  void theOutputIsTheSame(String chaos) throws Exception {
    Path output = directory.resolve("out");
    List<TranscodeListener.Event> events = Collections.synchronizedList(new ArrayList<>());
    TestingJobs.run(
        TestingJobs.request(TestingClips.usual(), output),
        "cpu:4",
        ChaosPlan.parse(chaos),
        Duration.ofSeconds(8),
        events::add);
    assertThat(events)
        .as("the fault was made")
        .anyMatch(event ->
            event instanceof TranscodeListener.Event.Requeued
                || event instanceof TranscodeListener.Event.Noticed);
    assertThat(TestingJobs.hashes(output)).isEqualTo(undisturbed);
  }

  @Test
  void theOutputIsTheSameWhenFaultsComeByChance() throws Exception {
    ChaosPlan plan = ChaosPlan.parse(BY_CHANCE);
    int faults = 0;
    for (int rung = 0; rung < RUNGS.size(); rung++) {
      for (int chunk = 0; chunk < CHUNKS; chunk++) {
        UnitId unit = new UnitId(RUNGS.get(rung), chunk);
        List<Chaos> drawn = new ArrayList<>();
        for (int attempt = 1; attempt <= ServiceOptions.usual().tries(); attempt++) {
          drawn.add(plan.at(rung, unit, attempt));
        }
        assertThat(drawn).as("%s is not condemned", unit).contains(Chaos.NONE);
        faults += drawn.getFirst() == Chaos.NONE ? 0 : 1;
      }
    }
    assertThat(faults).as("units whose first attempt fails").isPositive();

    theOutputIsTheSame(BY_CHANCE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"throw@90p/1x*", "crash@90p/1x*"})
  void aChunkThatFailsEverywhereEndsTheJobAndNothingLooksFinished(String chaos) throws Exception {
    Path output = directory.resolve("out");
    TranscodeRequest request = TestingJobs.request(TestingClips.usual(), output);
    assertThatThrownBy(() ->
            TestingJobs.run(
                request,
                "cpu:3",
                ChaosPlan.parse(chaos),
                Duration.ofSeconds(30),
                TranscodeListener.none()))
        .isInstanceOf(TranscodeException.GaveUp.class)
        .hasMessageContaining("90p/000001");
    assertThat(output.resolve("master.m3u8")).doesNotExist();
    assertThat(Files.exists(output.resolve("90p").resolve("index.m3u8"))).isFalse();

    // What was committed counts: the same request goes on from there.
    TestingJobs.run(request, "cpu:2");
    assertThat(TestingJobs.hashes(output)).isEqualTo(undisturbed);
  }

  /** Strict mix keeps one of two encoders; when its device goes, the other does all of the rung. */
  @ParameterizedTest
  @ValueSource(strings = {"lost@180p/1", "throw@180p/1x3"})
  void aRungWhoseDevicesAreGoneIsEncodedAgainByOthers(String chaos) throws Exception {
    Path output = directory.resolve("out");
    List<TranscodeListener.Event> events = Collections.synchronizedList(new ArrayList<>());
    TranscodeRequest request =
        TestingJobs.request(TestingClips.usual(), output)
            .withEncoding(
                new EncodingChoice(
                    VideoCodec.AV1,
                    OptionalInt.of(13),
                    OptionalInt.empty(),
                    MaxRates.none(),
                    EncodingChoice.Mix.STRICT));
    TranscodeResult result =
        TestingJobs.run(
            request,
            "cpu:1@svt,cpu:1@aom",
            ChaosPlan.parse(chaos),
            Duration.ofSeconds(30),
            events::add);

    assertThat(events)
        .filteredOn(TranscodeListener.Event.Noticed.class::isInstance)
        .extracting(Object::toString)
        .anyMatch(notice -> notice.contains("is encoded again with"));
    assertThat(result.status()).isEqualTo("done");
    assertThat(result.devices())
        .as("also the one that failed before the rung was begun again")
        .hasSize(2)
        .anyMatch(device -> device.failures() > 0);
    assertThat(result.rungs())
        .allSatisfy(rung -> {
          assertThat(TestingJobs.times(rung.manifest())).hasSize(180);
          TestingFfmpeg.decodesCleanly(rung.manifest());
        });
  }

  @Test
  void aPlanThatMakesNoSenseIsRefusedWithWhatIsAllowed() {
    assertThatThrownBy(() -> ChaosPlan.parse("explode@3"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("explode@3")
        .hasMessageContaining("throw, hang, lie, garble, memory, lost, crash or kill");
    for (String wrong : List.of("throw@120%", "throw@-1s", "kill", "kill@", "lie@2xmany", "@3")) {
      assertThatThrownBy(() -> ChaosPlan.parse(wrong))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
