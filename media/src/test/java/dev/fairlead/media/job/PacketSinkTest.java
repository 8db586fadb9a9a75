package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Discovery;
import dev.fairlead.media.TestingClips;
import dev.fairlead.media.local.LocalTranscodes;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.pool.DevicePool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packets instead of files. */
class PacketSinkTest {
  @TempDir private Path directory;

  private TranscodeResult run(TranscodeRequest request, PacketSink sink) throws Exception {
    try (DevicePool pool = DevicePool.open(Discovery.find("cpu:2"))) {
      return new LocalTranscodes(
              new JobOptions(
                      pool, ServicePolicies.anyRung(), ChaosPlan.none(), Duration.ofSeconds(30))
                  .withSink(sink))
          .submit(request, TranscodeListener.none())
          .await();
    }
  }

  /** Keeps everything that it is given. */
  private static final class Keeper implements PacketSink {
    private final Map<String, List<Packet>> packets = new TreeMap<>();
    private final List<String> said = new ArrayList<>();

    @Override
    public void begin(Track track) {
      packets.put(track.name(), new ArrayList<>());
      said.add("begin " + track.name() + " " + track.codecs().split("\\.", 2)[0]);
    }

    @Override
    public void packet(Track track, Packet packet) {
      of(track.name()).add(packet);
    }

    List<Packet> of(String track) {
      return Objects.requireNonNull(packets.get(track), track);
    }

    @Override
    public void end(Track track) {
      said.add("end " + track.name());
    }
  }

  @Test
  void everyTrackComesInOrderAndThereAreNoFiles() throws Exception {
    Path output = directory.resolve("out");
    Keeper keeper = new Keeper();
    TranscodeRequest request = TestingJobs.request(TestingClips.usual(), output);
    TranscodeResult result = run(request, keeper);

    assertThat(keeper.said)
        .containsExactlyInAnyOrder(
            "begin 180p av01",
            "begin 90p av01",
            "begin audio-1 mp4a",
            "end 180p",
            "end 90p",
            "end audio-1");
    for (String rung : List.of("180p", "90p")) {
      List<PacketSink.Packet> packets = keeper.of(rung);
      assertThat(packets).hasSize(180);
      assertThat(packets.stream().map(PacketSink.Packet::dts)).isSorted();
      assertThat(packets.stream().filter(PacketSink.Packet::key).map(PacketSink.Packet::pts))
          .hasSize(3)
          .startsWith(0L);
      long end = packets.stream().mapToLong(each -> each.pts() + each.duration()).max().orElse(0);
      long sum = packets.stream().mapToLong(PacketSink.Packet::duration).sum();
      assertThat(end).as("no hole, no overlap").isEqualTo(sum);
    }
    assertThat(result.rungs())
        .extracting(TranscodeResult.RungResult::manifest)
        .containsOnly(Path.of(""));
    try (Stream<Path> files = Files.walk(output)) {
      assertThat(files.map(Path::toString))
          .noneMatch(name -> name.endsWith(".m3u8") || name.endsWith(".m4s"));
    }

    Keeper again = new Keeper();
    assertThat(run(request, again).status()).isEqualTo("unchanged");
    assertThat(run(request.withRestart(true), again).status()).isEqualTo("done");
    assertThat(again.of("90p")).hasSize(180);
  }

  @Test
  void aSinkThatThrowsEndsTheJobAndItGoesOnLater() throws Exception {
    TranscodeRequest request = TestingJobs.request(TestingClips.usual(), directory.resolve("out"));
    assertThatThrownBy(() ->
            run(
                request,
                (track, packet) -> {
                  throw new IllegalStateException("no room");
                }))
        .isInstanceOf(TranscodeException.Storage.class)
        .hasMessageContaining("no room");
    Keeper keeper = new Keeper();
    assertThat(run(request, keeper).status()).isEqualTo("done");
    assertThat(keeper.of("180p")).hasSize(180);
  }

  @Test
  void filesAndPacketsAreTwoJobs() throws Exception {
    TranscodeRequest request = TestingJobs.request(TestingClips.usual(), directory.resolve("out"));
    run(request, new Keeper());
    assertThatThrownBy(() -> TestingJobs.run(request, "cpu:2"))
        .isInstanceOf(TranscodeException.BadRequest.class)
        .hasMessageContaining("delivery");
  }
}
