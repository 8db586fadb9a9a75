package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Capability;
import dev.fairlead.device.Card;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.DeviceProvider;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Engine;
import dev.fairlead.device.Vendor;
import dev.fairlead.media.TestingClips;
import dev.fairlead.media.av.Filter;
import dev.fairlead.media.chunk.Chunk;
import dev.fairlead.media.encode.ChunkEncoder;
import dev.fairlead.media.encode.CodecConfig;
import dev.fairlead.media.encode.EncodedChunk;
import dev.fairlead.media.encode.EncoderKind;
import dev.fairlead.media.encode.VideoSettings;
import dev.fairlead.media.plan.HardwareAddress;
import dev.fairlead.media.plan.Pumps;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.probe.Colour;
import dev.fairlead.media.probe.Rational;
import dev.fairlead.media.scale.Scaling;
import dev.fairlead.media.worker.WorkerProcess.FailedException;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.pool.DevicePool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which GPU does what; and that a job goes on where there turns out to be none. */
class GpuTest {
  private static final Device LANE = Device.of(DeviceKind.CPU, 0);
  private static final Device NVIDIA = gpu(DeviceKind.CUDA, 1, "GPU-5f0c", Vendor.NVIDIA);
  private static final Device INTEL =
      gpu(DeviceKind.OPENCL, 0, "intel-arc", Vendor.INTEL)
          .withCard(new Card("0000:03:00.0", "/dev/dri/renderD129"));
  private static final Device AMD =
      gpu(DeviceKind.ENCODER, 0, "0000:0a:00.0", Vendor.AMD)
          .withCard(new Card("0000:0a:00.0", "/dev/dri/renderD130"));

  @TempDir private Path directory;

  private static Device gpu(DeviceKind kind, int ordinal, String id, Vendor vendor) {
    return Device.of(kind, ordinal).withIdentity(DeviceId.of(id), id, vendor);
  }

  @Test
  void aGpuHasTheAddressOfItsDriver() {
    assertThat(DeviceAddress.of(NVIDIA)).contains(new HardwareAddress("cuda", "1"));
    assertThat(DeviceAddress.of(INTEL))
        .contains(new HardwareAddress("vaapi", "/dev/dri/renderD129"));
    assertThat(DeviceAddress.of(AMD)).contains(new HardwareAddress("vaapi", "/dev/dri/renderD130"));
    assertThat(DeviceAddress.of(LANE)).isEmpty();
    assertThat(DeviceAddress.of(Device.of(DeviceKind.OPENCL, 0))).as("of no vendor").isEmpty();
    assertThat(DeviceAddress.of(Device.of(DeviceKind.SIMULATED, 0))).isEmpty();
    assertThat(DeviceAddress.of(gpu(DeviceKind.of("npu"), 0, "npu-7", Vendor.INTEL)))
        .as("an accelerator without a card")
        .isEmpty();
    assertThat(DeviceAddress.of(gpu(DeviceKind.OPENCL, 0, "intel-arc", Vendor.INTEL)))
        .as("a GPU of which nobody knows where it is: no node is guessed")
        .isEmpty();
    assertThat(DeviceAddress.of(AMD.withCapabilities(Set.of(Capability.HOST_CORES))))
        .as("a processor")
        .isEmpty();
  }

  @Test
  void theKernelKnowsTheNodeOfACard() throws Exception {
    Device computes =
        gpu(DeviceKind.OPENCL, 0, "intel-arc", Vendor.INTEL).withCard(Card.at("0000:03:00.0"));
    assertThat(DeviceAddress.of(computes, directory)).isEmpty();

    Path described = Files.createDirectories(directory.resolve("0000:03:00.0/drm"));
    Files.createDirectory(described.resolve("card1"));
    Files.createDirectory(described.resolve("renderD131"));
    assertThat(DeviceAddress.of(computes, directory))
        .contains(new HardwareAddress("vaapi", "/dev/dri/renderD131"));
  }

  @Test
  void noMorePumpsDecodeOnACardThanItsDecodersTake() {
    Pumps asked = new Pumps(3, 8, 5);

    assertThat(DecodeChoice.pumps(asked, NVIDIA.withUnits(Engine.DECODE, 4)))
        .isEqualTo(new Pumps(3, 5, 5));
    assertThat(DecodeChoice.pumps(asked, NVIDIA.withUnits(Engine.DECODE, 1)))
        .isEqualTo(new Pumps(2, 2, 5));
    assertThat(DecodeChoice.pumps(Pumps.one(), NVIDIA.withUnits(Engine.DECODE, 4)))
        .isEqualTo(Pumps.one());
  }

  @Test
  void nvidiaEncodesWithNvencIntelAndAmdWithVaapi() {
    assertThat(EncoderChoice.of(NVIDIA, "av1")).contains(EncoderKind.NVENC_AV1);
    assertThat(EncoderChoice.of(NVIDIA, "hevc")).contains(EncoderKind.NVENC_HEVC);
    assertThat(EncoderChoice.of(INTEL, "av1")).contains(EncoderKind.VAAPI_AV1);
    assertThat(EncoderChoice.of(AMD, "hevc")).contains(EncoderKind.VAAPI_HEVC);
    assertThat(EncoderChoice.of(AMD, "h264")).contains(EncoderKind.VAAPI_H264);
    assertThat(EncoderChoice.of(LANE, "av1")).contains(EncoderKind.SVT_AV1);
    assertThat(EncoderChoice.of(LANE, "hevc")).isEmpty();
  }

  @Test
  void theNamedDeviceDecodesOrElseTheFirstGpu() {
    List<Device> all = List.of(LANE, INTEL, NVIDIA);
    assertThat(DecodeChoice.of(all, null)).contains(INTEL);
    assertThat(DecodeChoice.of(List.of(LANE), null)).isEmpty();
    assertThat(DecodeChoice.of(all, "cuda:1")).contains(NVIDIA);
    assertThat(DecodeChoice.of(all, "GPU-5f0c")).contains(NVIDIA);
    assertThat(DecodeChoice.of(all, "cpu")).isEmpty();
    assertThat(DecodeChoice.of(all, "cpu:0")).isEmpty();
    assertThatThrownBy(() -> DecodeChoice.of(all, "cuda:0"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("cuda:0 is not among the selected devices");
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
      assertThat(options.decoder()).map(Device::label).contains("cuda:99");
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
        .hasSize(1)
        .allMatch(what -> what.startsWith("The job decodes in software: opening cuda 99: "));
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

  @Test
  void anEncoderThatCodesAnotherSizeThanItIsGivenIsNotUsed() throws Exception {
    VideoSettings settings =
        new VideoSettings(
            EncoderKind.SVT_AV1,
            "",
            new Scaling.Target(64, 64, 8, false),
            new Rational(1, 25),
            new Rational(25, 1),
            13,
            30,
            0,
            Colour.unspecified());
    CodecConfig.Picture config;
    try (Filter source = Filter.source("testsrc2=s=64x64:r=25,format=yuv420p", true);
        Chunk chunk = Chunk.of(0, List.of(Objects.requireNonNull(source.pull())), 1)) {
      EncodedChunk encoded = ChunkEncoder.encode(chunk, settings, () -> false);
      config =
          (CodecConfig.Picture)
              CodecConfig.of("av1", encoded.header(), encoded.packets().getFirst().data());
    }
    assertThat(Encoders.sized(config, settings)).isSameAs(config);
    VideoSettings fewer = settings.with(new Scaling.Target(64, 62, 8, false));
    assertThatThrownBy(() -> Encoders.sized(config, fewer))
        .isInstanceOf(FailedException.class)
        .hasMessage("svt-av1 codes 64×64 where 64×62 is asked for");
  }

  private static List<String> notices(List<TranscodeListener.Event> events) {
    return events.stream()
        .filter(TranscodeListener.Event.Noticed.class::isInstance)
        .map(event -> ((TranscodeListener.Event.Noticed) event).what())
        .toList();
  }
}
