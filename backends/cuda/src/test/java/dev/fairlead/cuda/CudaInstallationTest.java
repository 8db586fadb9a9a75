package dev.fairlead.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.Discovery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every reason why a machine has no CUDA devices, with doubles that lack something. */
class CudaInstallationTest {
  @TempDir private Path folder;

  private static CudaHost withoutDriver() {
    return new CudaHost(
        List.of("libcuda-none.so.1"), List.of("libnvidia-none.so.1"), false, null, Path.of("/sys"));
  }

  private static Discovery.Problem problem(CudaHost host) {
    Discovery discovery = new CudaProvider(host).discover(List.of());
    assertThat(discovery.found()).isEmpty();
    assertThat(discovery.problems()).hasSize(1);
    return discovery.problems().getFirst();
  }

  @Test
  void withoutADriverThereIsNotAWord() {
    assertThat(CudaInstallation.on(withoutDriver())).isInstanceOf(CudaInstallation.NoLibrary.class);
    assertThat(new CudaProvider(withoutDriver()).discover(List.of()))
        .isEqualTo(new Discovery(List.of(), List.of()));
  }

  @Test
  void whoeverAsksForCudaByNameHearsThatThereIsNoDriver() {
    assertThat(new CudaProvider(withoutDriver()).discover(List.of("cuda:0")).problems())
        .singleElement()
        .satisfies(problem ->
            assertThat(problem.reason()).contains("libcuda-none.so.1").contains("No such file"));
  }

  @Test
  void aLibraryThatIsNoneIsBroken() throws IOException {
    Files.writeString(folder.resolve("libcuda.so.1"), "no library at all");
    CudaHost host = TestingCuda.with(1).host(folder, folder);

    assertThat(CudaInstallation.on(host)).isInstanceOf(CudaInstallation.BrokenLibrary.class);
    assertThat(problem(host).reason()).containsAnyOf("file too short", "invalid ELF header");
  }

  @Test
  void aLibraryThatWasNamedHasToBeThere() {
    CudaHost host = TestingCuda.with(1).host(folder, folder);

    assertThat(CudaInstallation.on(host)).isInstanceOf(CudaInstallation.BrokenLibrary.class);
    assertThat(problem(host).reason()).contains("No such file");
  }

  @Test
  void aFunctionThatIsMissingIsNamed() {
    Path lacking = TestingCuda.folder("-DWITHOUT_MEM_GET_INFO");
    CudaHost host = TestingCuda.with(1).host(lacking, folder);

    assertThat(CudaInstallation.on(host))
        .isEqualTo(
            new CudaInstallation.SymbolMissing(
                TestingCuda.library(lacking).toString(), "cuMemGetInfo_v2"));
    assertThat(problem(host).reason()).contains("has no function cuMemGetInfo_v2");
  }

  @Test
  void aDriverThatIsTooOldSaysItsVersionThoughItLacksFunctionsToo() {
    Path old = TestingCuda.folder("-DDRIVER_VERSION=10020", "-DWITHOUT_MEM_GET_INFO");
    CudaHost host = TestingCuda.with(1).host(old, folder);

    assertThat(CudaInstallation.on(host)).isEqualTo(new CudaInstallation.TooOld(10_020));
    assertThat(problem(host).reason())
        .isEqualTo("the driver is too old: it is one of CUDA 10.2, and 11.4 is needed");
  }

  @Test
  void aDriverWithoutADeviceSaysWhatMayHideIt() {
    assertThat(problem(TestingCuda.with(0).host()).reason())
        .isEqualTo("the driver finds no device");
    CudaHost hidden = TestingCuda.with(2, "").host();
    assertThat(CudaInstallation.on(hidden)).isInstanceOf(CudaInstallation.NoDevice.class);
    assertThat(problem(hidden).reason())
        .isEqualTo("the driver finds no device (CUDA_VISIBLE_DEVICES=)");
  }

  @Test
  void aDriverThatRefusesToStartKeepsItsCodeAndName() {
    TestingCuda cuda = TestingCuda.with(1);
    cuda.fail("cuInit:1:803");
    CudaInstallation installation = CudaInstallation.on(cuda.host());

    assertThat(installation)
        .isInstanceOfSatisfying(
            CudaInstallation.Refused.class,
            refused -> {
              assertThat(refused.error().code()).isEqualTo(803);
              assertThat(refused.reason())
                  .isEqualTo("CUDA: cuInit failed with CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803)");
            });
  }

  @Test
  void nvmlOfTheOldestDriverTellsAsMuch() {
    CudaProvider provider =
        TestingCuda.built(1, List.of("-DPROCESSES=nvmlDeviceGetComputeRunningProcesses_v2"))
            .provider();
    Discovery discovery = provider.discover(List.of());

    assertThat(discovery.problems()).isEmpty();
    try (DeviceContext context = provider.open(discovery.devices().getFirst())) {
      context.bind();
      assertThat(provider.details(discovery.devices().getFirst()))
          .containsEntry("compute processes", "1");
    }
  }

  @Test
  void nvmlThatDoesNotStartIsAProblemAndTheDevicesAreFound() {
    TestingCuda cuda = TestingCuda.with(1);
    cuda.fail("nvmlInit_v2:1:9");
    Discovery discovery = cuda.provider().discover(List.of());

    assertThat(discovery.devices()).hasSize(1);
    assertThat(discovery.problems())
        .singleElement()
        .satisfies(problem ->
            assertThat(problem.reason()).contains("Driver Not Loaded").contains("not seen"));
  }
}
