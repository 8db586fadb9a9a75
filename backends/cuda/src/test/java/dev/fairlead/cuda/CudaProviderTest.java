package dev.fairlead.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.BadTermException;
import dev.fairlead.device.Capability;
import dev.fairlead.device.ComputeCapability;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.DeviceProvider;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Engine;
import dev.fairlead.device.Vendor;
import dev.fairlead.lease.Lease;
import dev.fairlead.policy.Demand;
import dev.fairlead.pool.DevicePool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CudaProviderTest {
  private static final String FIRST = "GPU-a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf";
  private static final String SECOND = "GPU-b0b1b2b3-b4b5-b6b7-b8b9-babbbcbdbebf";

  @TempDir private Path pciDevices;

  private static List<String> ids(Discovery discovery) {
    return discovery.devices().stream().map(device -> device.id().value()).toList();
  }

  @Test
  void theServiceLoaderFindsTheProvider() {
    assertThat(ServiceLoader.load(DeviceProvider.class).stream().map(ServiceLoader.Provider::type))
        .contains(CudaProvider.class);
  }

  @Test
  void devicesAreKnownByTheirUuidAndSayWhatTheyAre() {
    Discovery discovery = TestingCuda.with(2).provider().discover(List.of());

    assertThat(discovery.problems()).isEmpty();
    assertThat(ids(discovery)).containsExactly(FIRST, SECOND);
    Device second = discovery.devices().getLast();
    assertThat(second.label()).isEqualTo("cuda:1");
    assertThat(second.kind()).isEqualTo(DeviceKind.CUDA);
    assertThat(second.name()).isEqualTo("Double GPU 1");
    assertThat(second.vendor()).isEqualTo(Vendor.NVIDIA);
    assertThat(second.memoryBytes()).isEqualTo(1L << 30);
    assertThat(second.slots(Engine.ENCODE)).isEqualTo(2);
    assertThat(second.slots(Engine.DECODE)).isEqualTo(2);
    assertThat(second.features().computeCapability()).isEqualTo(ComputeCapability.of(8, 5));
    assertThat(second.features().capabilities()).containsExactly(Capability.COMPUTE);
  }

  @Test
  void termsChooseByNumberAndByTheBeginningOfAUuid() {
    CudaProvider provider = TestingCuda.with(3).provider();

    assertThat(ids(provider.discover(List.of("cuda")))).hasSize(3);
    assertThat(ids(provider.discover(List.of("cuda:1")))).containsExactly(SECOND);
    assertThat(ids(provider.discover(List.of("cuda:GPU-A0A1", "cuda:1"))))
        .containsExactly(FIRST, SECOND);
    assertThat(provider.discover(List.of("cuda:1*0.25")).devices().getFirst().weight())
        .isEqualTo(0.25);
    assertThat(Discovery.find("nvidia", List.of(provider)).devices()).hasSize(3);
    assertThat(Discovery.find(SECOND + "*2", List.of(provider)).devices())
        .singleElement()
        .satisfies(device -> assertThat(device.weight()).isEqualTo(2));
  }

  @Test
  void aDeviceThatIsNotThereIsAProblemThatNamesThoseThatAre() {
    Discovery discovery = TestingCuda.with(1).provider().discover(List.of("cuda:0", "cuda:7"));

    assertThat(discovery.devices()).hasSize(1);
    assertThat(discovery.problems())
        .containsExactly(
            new Discovery.Problem(
                "cuda:7", "there is no such device; there are cuda:0 (" + FIRST + ")"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"cuda:", "cuda:x", "cuda:0*", "cuda:0*0", "cuda:0*-1", "cuda:-1", "cuda@x"})
  void aTermThatCannotBeReadIsRefused(String term) {
    assertThatThrownBy(() -> TestingCuda.with(1).provider().discover(List.of(term)))
        .isInstanceOf(BadTermException.class)
        .hasMessageContaining(term);
  }

  @Test
  void devicesThatTheEnvironmentHidesAreNamedAndTheRestKeepTheirIds() {
    CudaProvider provider = TestingCuda.with(3, "GPU-b0,0").provider();
    Discovery discovery = provider.discover(List.of());

    assertThat(ids(discovery)).containsExactly(SECOND, FIRST);
    assertThat(discovery.devices().getFirst().label()).isEqualTo("cuda:0");
    assertThat(discovery.problems())
        .singleElement()
        .satisfies(problem -> {
          assertThat(problem.what()).startsWith("GPU-c0").contains("Double GPU 2");
          assertThat(problem.reason()).isEqualTo("is hidden by CUDA_VISIBLE_DEVICES=GPU-b0,0");
        });
    assertThat(provider.details(discovery.devices().getFirst()))
        .containsEntry("visible by", "CUDA_VISIBLE_DEVICES=GPU-b0,0");
  }

  @Test
  void aSliceIsKnownByItsOwnUuid() {
    TestingCuda cuda = TestingCuda.with(1);
    cuda.slice(0, "Double GPU MIG 1g.5gb");
    CudaProvider provider = cuda.provider();
    Device slice = provider.discover(List.of("cuda:MIG-a0a1")).devices().getFirst();

    assertThat(slice.id()).isEqualTo(DeviceId.of(FIRST.replace("GPU-", "MIG-")));
    assertThat(provider.details(slice))
        .containsEntry("slice", "MIG")
        .as("a slice does not tell")
        .doesNotContainKeys("utilization", "power")
        .as("and tells the rest")
        .containsKeys("temperature", "uncorrected ECC errors", "encoder sessions");
  }

  @Test
  void aGaugeThatCannotBeReadIsLeftOutAndNoFaultOfTheDevice() {
    TestingCuda cuda = TestingCuda.with(1);
    CudaProvider provider = cuda.provider();
    Device device = provider.discover(List.of()).devices().getFirst();
    cuda.fail("nvmlDeviceGetTemperature:0:999");
    cuda.fail("nvmlDeviceGetEncoderSessions:0:2");
    cuda.others(0, 4, 0, 9);

    assertThat(provider.details(device))
        .doesNotContainKey("temperature")
        .containsEntry("power", "123 W")
        .containsEntry("compute processes", "4");
    try (DeviceContext context = provider.open(device)) {
      context.bind();
      assertThat(context.sample().orElseThrow().foreignStreams()).isEqualTo(4);
    }
  }

  @Test
  void aDeviceThatNvmlHasLostIsAProblemAndTheRestAreFound() {
    TestingCuda cuda = TestingCuda.with(2);
    cuda.fail("nvmlDeviceGetHandleByIndex_v2:1:15");
    Discovery discovery = cuda.provider().discover(List.of());

    assertThat(discovery.devices()).hasSize(2);
    assertThat(discovery.problems())
        .containsExactly(
            new Discovery.Problem(
                "device 0 of NVML",
                "NVML: nvmlDeviceGetHandleByIndex_v2 failed with GPU is lost (15), which may mean"
                    + " another device of this machine"));
  }

  @Test
  void detailsSayWhereADeviceIsAndWhatNvmlMeasures() throws Exception {
    Files.createDirectories(pciDevices.resolve("0000:3b:00.0"));
    Files.writeString(pciDevices.resolve("0000:3b:00.0").resolve("numa_node"), "1\n");
    TestingCuda cuda = TestingCuda.with(3);
    cuda.others(0, 2, 1, 20);
    CudaProvider provider = new CudaProvider(cuda.host(TestingCuda.folder(), pciDevices));
    List<Device> devices = provider.discover(List.of()).devices();

    assertThat(provider.details(devices.getFirst()))
        .containsEntry("PCI address", "0000:3b:00.0")
        .containsEntry("NUMA node", "1")
        .containsEntry("compute capability", "7.5")
        .containsEntry("multiprocessors", "40")
        .containsEntry("reads memory of", "cuda:1")
        .containsEntry("utilization", "37 %")
        .containsEntry("temperature", "61 °C")
        .containsEntry("power", "123 W")
        .containsEntry("uncorrected ECC errors", String.valueOf(3 + (1L << 33)))
        .containsEntry("compute processes", "2")
        .as("more than there was room for at first")
        .containsEntry("encoder sessions", "21");
    assertThat(provider.details(devices.getLast()))
        .doesNotContainKeys("NUMA node", "reads memory of", "slice", "visible by");
  }

  @Test
  void threadsOfADeviceStayOnProcessorsNearToIt() throws Exception {
    Path device = Files.createDirectories(pciDevices.resolve("0000:3b:00.0"));
    Files.writeString(device.resolve("numa_node"), "0\n");
    Files.writeString(device.resolve("local_cpulist"), "0\n");
    Discovery found =
        new CudaProvider(TestingCuda.with(2).host(TestingCuda.folder(), pciDevices))
            .discover(List.of());
    try (DevicePool pool = DevicePool.open(found)) {
      assertThat(allowed(pool, found.devices().getFirst())).isEqualTo("0");
      assertThat(allowed(pool, found.devices().getLast()))
          .as("where the machine does not tell what is near")
          .isEqualTo(allowed());
    }
  }

  private static String allowed(DevicePool pool, Device device) throws Exception {
    try (Lease lease = pool.lease(Demand.any().onlyOn(device.id()), Duration.ofSeconds(60))) {
      String list = lease.run(slot -> allowed());
      lease.succeed();
      return list;
    }
  }

  /** What the system says that the current thread may run on. */
  private static String allowed() throws IOException {
    return Files.readString(Path.of("/proc/thread-self/status"))
        .lines()
        .filter(line -> line.startsWith("Cpus_allowed_list:"))
        .findFirst()
        .orElseThrow()
        .replace("Cpus_allowed_list:", "")
        .strip();
  }

  @Test
  void oneDeviceThatDoesNotAnswerIsAProblemAndTheRestAreFound() {
    TestingCuda cuda = TestingCuda.with(2);
    cuda.fail("cuDeviceGetName:1:999");
    Discovery discovery = cuda.provider().discover(List.of());

    assertThat(ids(discovery)).containsExactly(SECOND);
    assertThat(discovery.problems().getFirst())
        .isEqualTo(
            new Discovery.Problem(
                "cuda:0", "CUDA: cuDeviceGetName failed with CUDA_ERROR_UNKNOWN (999)"));
  }

  @Test
  void aDeviceOfAnotherProviderIsNotOpened() {
    CudaProvider provider = TestingCuda.with(1).provider();
    provider.discover(List.of());

    assertThatThrownBy(() -> provider.open(Device.of(DeviceKind.CUDA, 0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("was not found by this provider");
  }
}
