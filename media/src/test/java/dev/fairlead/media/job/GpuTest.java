package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.DeviceProvider;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Vendor;
import dev.fairlead.media.TestingClips;
import dev.fairlead.media.local.LocalTranscodes;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.pool.DevicePool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job goes on where there turns out to be no GPU. */
class GpuTest {
  @TempDir private Path directory;

  private static Device gpu(DeviceKind kind, int ordinal, String id, Vendor vendor) {
    return Device.of(kind, ordinal).withIdentity(DeviceId.of(id), id, vendor);
  }

  /** A GPU that opens, as far as the pool can tell, and does nothing else. */
  private static final class TestingGpus implements DeviceProvider {
    @Override
    public String scheme() {
      return "cuda";
    }

    @Override
    public Discovery discover(List<String> terms) {
      return Discovery.of(this, List.of(gpu(DeviceKind.CUDA, 99, "GPU-none", Vendor.NVIDIA)));
    }

    @Override
    public DeviceContext open(Device device) {
      return DeviceContext.none();
    }
  }

  private static Discovery laneAndGpu() {
    List<Discovery.Found> found = new ArrayList<>(new TestingGpus().discover(List.of()).found());
    found.addAll(Discovery.find("cpu:1").found());
    return new Discovery(found, List.of());
  }

  /** A device that could never encode is no reason to say that none can. */
  @Test
  void aChunkThatFailsOnTheOnlyDeviceThatCouldEncodeItIsNamed() throws Exception {
    TranscodeRequest request = TestingJobs.request(TestingClips.usual(), directory.resolve("out"));
    try (DevicePool pool = DevicePool.open(laneAndGpu())) {
      JobOptions options =
          new JobOptions(
              pool,
              ServicePolicies.anyRung(),
              ChaosPlan.parse("throw@90p/1x*"),
              Duration.ofSeconds(60));
      Transcode job = new LocalTranscodes(options).submit(request, TranscodeListener.none());
      assertThatThrownBy(job::await)
          .isInstanceOf(TranscodeException.GaveUp.class)
          .hasMessageContaining("90p/000001");
    }
  }

  @Test
  void aGpuThatIsNotThereIsToldOnceAndTheLanesMakeTheSame() throws Exception {
    Path source = TestingClips.usual();
    TestingJobs.run(TestingJobs.request(source, directory.resolve("plain")), "cpu:1");

    List<TranscodeListener.Event> events = Collections.synchronizedList(new ArrayList<>());
    TranscodeRequest request = TestingJobs.request(source, directory.resolve("gpu"));
    try (DevicePool pool = DevicePool.open(laneAndGpu())) {
      JobOptions options =
          new JobOptions(
              pool, ServicePolicies.anyRung(), ChaosPlan.parse("kill@1"), Duration.ofSeconds(60));
      assertThat(options.decoding().devices()).extracting(Device::label).containsExactly("cuda:99");
      TranscodeResult result = new LocalTranscodes(options).submit(request, events::add).await();
      assertThat(result.status()).isEqualTo("done");
      assertThat(result.workerRestarts()).isEqualTo(1);
    }

    assertThat(TestingJobs.hashes(directory.resolve("gpu")))
        .isEqualTo(TestingJobs.hashes(directory.resolve("plain")));
    List<String> notices = notices(events);
    assertThat(notices).anyMatch(what -> what.startsWith("opening cuda 99: "));
    assertThat(notices)
        .filteredOn(what -> what.contains("decodes in software"))
        .satisfiesExactly(
            what -> assertThat(what).startsWith("The job decodes in software: opening cuda 99: "),
            what -> assertThat(what).as("after the worker's end").contains("no card is left"));
  }

  @Test
  void whereNoGpuCanEncodeTheReserveComesIn() throws Exception {
    Path source = TestingClips.usual();
    TestingJobs.run(TestingJobs.request(source, directory.resolve("plain")), "cpu:2");

    List<TranscodeListener.Event> events = Collections.synchronizedList(new ArrayList<>());
    TranscodeRequest request = TestingJobs.request(source, directory.resolve("gpu"));
    try (DevicePool pool = DevicePool.open(new TestingGpus().discover(List.of()))) {
      JobOptions options =
          new JobOptions(pool, ServicePolicies.anyRung(), ChaosPlan.none(), Duration.ofSeconds(60))
              .withReserve(() -> Discovery.find("cpu:2").found());
      TranscodeResult result = new LocalTranscodes(options).submit(request, events::add).await();
      assertThat(result.status()).isEqualTo("done");
      // A second job finds the lanes where the first has left them.
      TranscodeRequest again = TestingJobs.request(source, directory.resolve("again"));
      assertThat(new LocalTranscodes(options).submit(again, events::add).await().status())
          .isEqualTo("done");
      assertThat(pool.devices())
          .extracting(Device::label)
          .containsExactly("cuda:99", "cpu:0", "cpu:1");
    }

    assertThat(TestingJobs.hashes(directory.resolve("gpu")))
        .isEqualTo(TestingJobs.hashes(directory.resolve("plain")));
    assertThat(notices(events))
        .filteredOn(what -> what.endsWith("cpu:0 and cpu:1 encode instead"))
        .hasSize(1)
        .allMatch(what -> what.startsWith("No device can encode rung 180p"))
        .as("what FFmpeg says of the driver")
        .allMatch(what -> what.contains("opening cuda 99: ") && what.contains("(CUDA: "));
  }

  @Test
  void withoutAReserveItIsSaidThatNoGpuCanEncode() throws Exception {
    TranscodeRequest request = TestingJobs.request(TestingClips.usual(), directory.resolve("out"));
    try (DevicePool pool = DevicePool.open(new TestingGpus().discover(List.of()))) {
      JobOptions options =
          new JobOptions(pool, ServicePolicies.anyRung(), ChaosPlan.none(), Duration.ofSeconds(60));
      Transcode job = new LocalTranscodes(options).submit(request, TranscodeListener.none());
      assertThatThrownBy(job::await)
          .isInstanceOf(TranscodeException.NoCapableDevice.class)
          .hasMessageContaining("opening cuda 99: ");
    }
  }

  private static List<String> notices(List<TranscodeListener.Event> events) {
    return events.stream()
        .filter(TranscodeListener.Event.Noticed.class::isInstance)
        .map(event -> ((TranscodeListener.Event.Noticed) event).what())
        .toList();
  }
}
