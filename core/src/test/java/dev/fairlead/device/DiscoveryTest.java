package dev.fairlead.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiscoveryTest {
  private static final Device CUDA_0 = Device.of(DeviceKind.CUDA, 0);
  private static final Device CUDA_1 = Device.of(DeviceKind.CUDA, 1);
  private static final Device CPU_0 = Device.of(DeviceKind.CPU, 0);
  private static final Device CPU_1 = Device.of(DeviceKind.CPU, 1);

  private final TestingProvider cuda = TestingProvider.of("cuda", CUDA_1, CUDA_0);
  private final TestingProvider cpu = TestingProvider.of("cpu", CPU_0, CPU_1);

  @Test
  void keepsTheOrderOfProvidersAndOfTheirDevices() {
    Discovery discovery = Discovery.find("all,cpu", List.of(cuda, cpu));

    assertThat(discovery.devices()).containsExactly(CUDA_1, CUDA_0, CPU_0, CPU_1);
    assertThat(discovery.found())
        .extracting(Discovery.Found::provider)
        .containsExactly(cuda, cuda, cpu, cpu);
    assertThat(discovery.problems()).isEmpty();
    assertThat(Discovery.find("all,cpu", List.of(cpu, cuda)).devices())
        .containsExactly(CPU_0, CPU_1, CUDA_1, CUDA_0);
  }

  @Test
  void asksEachProviderForItsOwnTermsInTheirOrder() {
    Discovery.find("cpu:2, cuda@0 ,cpu:1*0.25", List.of(cuda, cpu));
    Discovery.find(" all ", List.of(cuda, cpu));

    assertThat(cpu.asked).containsExactly(List.of("cpu:2", "cpu:1*0.25"), List.of());
    assertThat(cuda.asked).containsExactly(List.of("cuda@0"), List.of());
  }

  @Test
  void doesNotAskProvidersThatAreNotNamed() {
    assertThat(Discovery.find("cpu", List.of(cuda, cpu)).devices()).containsExactly(CPU_0, CPU_1);
    assertThat(cuda.asked).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"tpu:0", "cpu:1,tpu:0", "", "cpu:1,", "cpux", "CPU", "all,tpu:0"})
  void refusesATermThatNoBackendKnowsAndSaysWhichThereAre(String selection) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Discovery.find(selection, List.of(cuda, cpu)))
        .withMessageStartingWith("No backend knows the device \"")
        .withMessageContaining("\"; known are cuda, cpu, all, nvidia");
  }

  @Test
  void passesOnWhatABackendSaysAboutABadTerm() {
    TestingProvider strict =
        TestingProvider.throwing("cpu", new BadTermException("\"cpu:0\" has no lanes"));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Discovery.find("cpu:0", List.of(strict)))
        .withMessage("\"cpu:0\" has no lanes");
  }

  @Test
  void goesOnWithoutAProviderThatThrows() {
    TestingProvider broken =
        TestingProvider.throwing("cuda", new IllegalStateException("driver too old"));

    Discovery discovery = Discovery.find("all,cpu", List.of(broken, cpu));

    assertThat(discovery.devices()).containsExactly(CPU_0, CPU_1);
    assertThat(discovery.problems())
        .containsExactly(new Discovery.Problem("cuda", "driver too old"));
    assertThat(discovery.problems().getFirst()).hasToString("cuda: driver too old");
  }

  @Test
  void goesOnWithoutAProviderThatCannotBeLinked() {
    List<Error> failures =
        List.of(
            new UnsatisfiedLinkError("libcuda.so.1 is not there"),
            new NoClassDefFoundError("some/Binding"),
            new ExceptionInInitializerError("no driver"));
    for (Error failure : failures) {
      Discovery discovery =
          Discovery.find("cuda,cpu", List.of(TestingProvider.failing("cuda", failure), cpu));

      assertThat(discovery.devices()).containsExactly(CPU_0, CPU_1);
      assertThat(discovery.problems())
          .extracting(Discovery.Problem::toString)
          .containsExactly("cuda: " + failure.getMessage());
    }
  }

  @Test
  void namesAFailureThatHasNoMessage() {
    TestingProvider broken = TestingProvider.throwing("cuda", new IllegalStateException());

    assertThat(Discovery.find("cuda", List.of(broken)).problems())
        .containsExactly(new Discovery.Problem("cuda", "java.lang.IllegalStateException"));
  }

  @Test
  void keepsTheProblemsThatAProviderTellsOf() {
    Discovery.Problem locked = new Discovery.Problem("cuda:1", "in exclusive mode");
    DeviceProvider half =
        new TestingProvider("cuda", List::of) {
          @Override
          public Discovery discover(List<String> terms) {
            return new Discovery(List.of(new Discovery.Found(CUDA_0, this)), List.of(locked));
          }
        };

    Discovery discovery = Discovery.find("all,cpu", List.of(half, cpu));

    assertThat(discovery.devices()).containsExactly(CUDA_0, CPU_0, CPU_1);
    assertThat(discovery.problems()).containsExactly(locked);
  }

  @Test
  void mergesADeviceThatTwoProvidersSee() {
    DeviceId id = DeviceId.of("GPU-5f0c");
    Capability av1 = Capability.of("encode:av1");
    Device computes =
        CUDA_0
            .withIdentity(id, "Some GPU", Vendor.NVIDIA)
            .withMemory(8_000)
            .withWeight(3)
            .withCapacity(new Resources(4, 8_000, Map.of("queues", 2L)))
            .withComputeCapability(ComputeCapability.of(8, 6))
            .withCapabilities(Set.of(Capability.COMPUTE));
    Device encodes =
        Device.of(DeviceKind.ENCODER, 7)
            .withIdentity(id, "Some encoder", Vendor.NVIDIA)
            .withMemory(9_000)
            .withCapacity(new Resources(1, 9_000, Map.of("sessions", 3L, "queues", 9L)))
            .withCapabilities(Set.of(av1));
    TestingProvider first = TestingProvider.of("cuda", CUDA_1, computes);
    TestingProvider second = TestingProvider.of("encoder", encodes, CUDA_0);

    Discovery discovery = Discovery.find("all", List.of(first, second));

    assertThat(discovery.devices()).hasSize(3).startsWith(CUDA_1).endsWith(CUDA_0);
    Discovery.Found merged = discovery.found().get(1);
    assertThat(merged.provider()).as("who saw it first opens it").isSameAs(first);
    assertThat(merged.device().identity()).isEqualTo(computes.identity());
    assertThat(merged.device().weight()).isEqualTo(3);
    assertThat(merged.device().features())
        .isEqualTo(
            new Device.Features(ComputeCapability.of(8, 6), Set.of(Capability.COMPUTE, av1), null));
    assertThat(merged.device().capacity())
        .isEqualTo(new Resources(4, 9_000, Map.of("queues", 2L, "sessions", 3L)));
  }

  @Test
  void takesTheComputeCapabilityFromWhoeverKnowsIt() {
    Device computes = CUDA_0.withComputeCapability(ComputeCapability.of(8, 6));
    Discovery discovery =
        Discovery.find(
            "all", List.of(TestingProvider.of("a", CUDA_0), TestingProvider.of("b", computes)));

    assertThat(discovery.devices()).containsExactly(computes);
  }

  private static final Device NODE =
      Device.of(DeviceKind.ENCODER, 0)
          .withIdentity(DeviceId.of("0000:03:00.0"), "an encoder", Vendor.INTEL)
          .withCard(new Card("0000:03:00.0", "/dev/dri/renderD129"));

  private static Device openCl(int ordinal, String pciAddress) {
    return Device.of(DeviceKind.OPENCL, ordinal)
        .withIdentity(DeviceId.of("cl-" + ordinal), "computes", Vendor.INTEL)
        .withCard(Card.at(pciAddress));
  }

  @Test
  void facesOfACardAreOneDeviceThatItsComputeBackendOpens() {
    Device other = openCl(0, "0000:02:00.0");
    Device same = openCl(1, "00000000:03:00.0");
    TestingProvider nodes = TestingProvider.of("encoder", NODE);
    TestingProvider drivers = TestingProvider.of("opencl", other, same);

    for (List<DeviceProvider> order :
        List.<List<DeviceProvider>>of(List.of(nodes, drivers), List.of(drivers, nodes))) {
      Discovery discovery = Discovery.find("all", order);

      assertThat(discovery.devices())
          .extracting(Device::label)
          .containsExactlyInAnyOrder("opencl:0", "opencl:1");
      Discovery.Found merged =
          discovery.found().stream()
              .filter(each -> each.device().ordinal() == 1)
              .findFirst()
              .orElseThrow();
      assertThat(merged.provider()).isSameAs(drivers);
      assertThat(merged.device().card()).contains(new Card("0000:03:00.0", "/dev/dri/renderD129"));
    }
  }

  @Test
  void cudaOpensACardThatOpenClSeesToo() {
    Device cuda = CUDA_0.withCard(Card.at("0000:02:00.0"));
    Discovery discovery =
        Discovery.find(
            "all",
            List.of(
                TestingProvider.of("opencl", openCl(0, "0000:02:00.0")),
                TestingProvider.of("cuda", cuda)));

    assertThat(discovery.devices()).containsExactly(cuda);
  }

  @Test
  void lanesComeInWhereNothingElseComputes() {
    Device lane = Device.of(DeviceKind.CPU, 0);
    TestingProvider lanes = TestingProvider.of("cpu", lane);

    assertThat(Discovery.find("all", List.of(TestingProvider.of("encoder", NODE), lanes)).devices())
        .containsExactly(NODE, lane);
    assertThat(
            Discovery.find(
                    "all",
                    List.of(
                        TestingProvider.of("encoder", NODE),
                        lanes,
                        TestingProvider.of("opencl", openCl(0, "0000:03:00.0"))))
                .devices())
        .extracting(Device::label)
        .containsExactly("opencl:0");
  }

  @Test
  void partsOfACardAreDevicesOfTheirOwn() {
    Discovery discovery =
        Discovery.find(
            "all",
            List.of(
                TestingProvider.of(
                    "opencl", openCl(0, "0000:02:00.0"), openCl(1, "0000:02:00.0"))));

    assertThat(discovery.devices()).hasSize(2);
  }

  @Test
  void anAddressIsTheSameHoweverItIsWritten() {
    assertThat(Card.at("00000000:3B:00.0")).isEqualTo(Card.at("0000:3b:00.0"));
    assertThat(Card.at("10000:e1:00.0").pciAddress()).isEqualTo("10000:e1:00.0");
    assertThat(Card.at("00010000:e1:00.0").pciAddress()).isEqualTo("10000:e1:00.0");
  }

  @Test
  void anAddressThatIsNoneIsRefused() {
    assertThatThrownBy(() -> Card.at("card 1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("\"card 1\" is no PCI address; one looks like 0000:3b:00.0");
  }

  @Test
  void findsNothingWithoutProviders() {
    assertThat(Discovery.find("all", List.of()).devices()).isEmpty();
  }

  @Test
  void devicesWhoseBackendsCannotIsolateThemAreProblems() {
    Device here = Device.of(DeviceKind.CUDA, 0);
    Device lane = Device.of(DeviceKind.CPU, 0);
    DeviceProvider elsewhere = TestingProvider.of("cpu", lane);
    DeviceProvider lanes =
        new TestingProvider("cpu", () -> List.of(lane)) {
          @Override
          public Optional<DeviceProvider> isolated() {
            return Optional.of(elsewhere);
          }
        };
    Discovery found = Discovery.find("cuda,cpu", List.of(TestingProvider.of("cuda", here), lanes));
    assertThat(found.with(Isolation.NONE)).isEqualTo(found);

    Discovery isolated = found.with(Isolation.PROCESS);
    assertThat(isolated.found()).containsExactly(new Discovery.Found(lane, elsewhere));
    assertThat(isolated.problems())
        .singleElement()
        .satisfies(problem ->
            assertThat(problem.toString())
                .startsWith("cuda:0: its backend cannot keep contexts in a process of their own"));
  }
}
