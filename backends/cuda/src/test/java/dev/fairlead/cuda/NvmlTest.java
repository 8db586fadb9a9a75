package dev.fairlead.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Fault;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What NVML is asked, how often, and what is believed of its answers. */
class NvmlTest {
  private final TestingCuda cuda = TestingCuda.with(2);
  private final AtomicLong nanos = new AtomicLong();

  private CudaProvider provider() {
    return new CudaProvider(cuda.host(), nanos::get);
  }

  private static int foreign(DeviceContext context) {
    return context.sample().orElseThrow().foreignStreams();
  }

  private void letASecondPass() {
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
  }

  @Test
  void aLostDeviceIsNotTakenForTheLossOfAnother() {
    CudaProvider provider = provider();
    Discovery found = provider.discover(List.of());
    try (DeviceContext first = provider.open(found.devices().getFirst());
        DeviceContext second = provider.open(found.devices().getLast())) {
      cuda.others(1, 3, 0, 0);
      cuda.lose(0);

      assertThat(foreign(second)).isEqualTo(3);
      assertThatThrownBy(first::sample)
          .satisfies(failure -> assertThat(Fault.of(failure)).isEqualTo(Fault.LOST));
      assertThat(provider.details(found.devices().getLast()))
          .containsEntry("compute processes", "4");
    }
  }

  @Test
  void devicesAreFoundAndRebuiltThoughAnotherIsLost() {
    cuda.lose(0);
    CudaProvider provider = provider();
    Discovery found = provider.discover(List.of());

    assertThat(found.devices()).hasSize(2);
    try (DeviceContext second = provider.open(found.devices().getLast())) {
      assertThat(foreign(second)).as("NVML has no handle of it, and is not asked").isZero();
    }
  }

  @Test
  void aHandleIsLookedUpOnceForEachGeneration() {
    CudaProvider provider = provider();
    Device first = provider.discover(List.of()).devices().getFirst();
    int before = cuda.calls("nvmlDeviceGetHandleByUUID");
    for (int generation = 1; generation <= 2; generation++) {
      try (DeviceContext context = provider.open(first)) {
        for (int poll = 0; poll < 5; poll++) {
          assertThat(foreign(context)).isZero();
          letASecondPass();
        }
      }
      assertThat(cuda.calls("nvmlDeviceGetHandleByUUID")).isEqualTo(before + generation);
    }
  }

  @Test
  void aHandleThatCannotBeLookedUpAgainIsKept() {
    CudaProvider provider = provider();
    Device second = provider.discover(List.of()).devices().getLast();
    provider.open(second).close();
    cuda.others(1, 2, 0, 0);
    cuda.lose(0);
    try (DeviceContext context = provider.open(second)) {
      assertThat(foreign(context)).isEqualTo(2);
    }
  }

  @Test
  void aPollAsksNvmlTwiceASecondAtMost() {
    CudaProvider provider = provider();
    Device first = provider.discover(List.of()).devices().getFirst();
    try (DeviceContext context = provider.open(first)) {
      for (int poll = 0; poll < 8; poll++) {
        assertThat(foreign(context)).isZero();
        nanos.addAndGet(Duration.ofMillis(250).toNanos());
      }
    }
    assertThat(cuda.calls("nvmlDeviceGetComputeRunningProcesses_v3")).isEqualTo(2);
    assertThat(cuda.calls("nvmlDeviceGetEncoderSessions")).isEqualTo(2);
    assertThat(cuda.calls("nvmlDeviceGetTemperature"))
        .as("what is only for people to read")
        .isZero();
  }

  @Test
  void recordsOfProcessesAreReadInWhateverSizeTheDriverWritesThem() {
    List<String> unversioned =
        List.of("-DPROCESSES=nvmlDeviceGetComputeRunningProcesses", "-DPROCESS_BYTES=16");
    List<String> second = List.of("-DPROCESSES=nvmlDeviceGetComputeRunningProcesses_v2");
    for (List<String> options :
        List.of(
            List.<String>of(),
            List.of("-DCLEARS_LISTS"),
            List.of("-DPROCESS_BYTES=32"),
            List.of("-DPROCESS_BYTES=32", "-DCLEARS_LISTS"),
            second,
            unversioned)) {
      TestingCuda built = TestingCuda.built(1, options);
      CudaProvider provider = new CudaProvider(built.host(), nanos::get);
      Device first = provider.discover(List.of()).devices().getFirst();
      try (DeviceContext context = provider.open(first)) {
        for (int others : List.of(0, 1, 4, 11, 12, 15, 16, 100)) {
          built.others(0, others, 0, 0);
          letASecondPass();
          assertThat(foreign(context)).as("%s with %d others", options, others).isEqualTo(others);
        }
      }
    }
  }

  @Test
  void aDriverThatNeverHasRoomEnoughIsNotAskedForEver() {
    CudaProvider provider = provider();
    Device first = provider.discover(List.of()).devices().getFirst();
    cuda.fail("nvmlDeviceGetComputeRunningProcesses_v3:0:7");
    try (DeviceContext context = provider.open(first)) {
      assertThat(foreign(context)).isZero();
    }
  }

  @Test
  void whatThisProcessHasStartedIsNoForeignLoad() throws Exception {
    CudaProvider provider = provider();
    Device first = provider.discover(List.of()).devices().getFirst();
    // It ends with its input, and the process that it starts in turn does so, too.
    Process child = new ProcessBuilder("sh", "-c", "cat; true").start();
    try (DeviceContext context = provider.open(first)) {
      cuda.others(0, 1, 1, 1);
      for (ProcessHandle own : List.of(child.toHandle(), grandchild(child))) {
        cuda.child(0, own.pid());
        letASecondPass();
        assertThat(foreign(context)).isEqualTo(2);
      }
      cuda.child(0, 1);
      letASecondPass();
      assertThat(foreign(context)).as("another process computes and encodes").isEqualTo(4);
    } finally {
      child.getOutputStream().close();
      assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static ProcessHandle grandchild(Process child) {
    Eventually.until("it has started another", () -> child.children().findAny().isPresent());
    return child.children().findAny().orElseThrow();
  }
}
