package dev.fairlead.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.compute.Argument;
import dev.fairlead.compute.ComputeContext;
import dev.fairlead.compute.DeviceBuffer;
import dev.fairlead.compute.Event;
import dev.fairlead.compute.Kernel;
import dev.fairlead.compute.Program;
import dev.fairlead.compute.StagingBuffer;
import dev.fairlead.compute.Stream;
import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.compute.driver.Grid;
import dev.fairlead.compute.driver.ProgramSource;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.policy.Priority;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The compute API on a CUDA device, against the driver double. */
class CudaContextTest {
  private static final ProgramSource KERNELS = ProgramSource.ptx(TestingCuda.kernels());

  private final TestingCuda cuda = TestingCuda.with(1);
  private final CudaProvider provider = cuda.provider();
  private final Device device = provider.discover(List.of()).devices().getFirst();
  private final ComputeContext context = (ComputeContext) provider.open(device);

  @BeforeEach
  void bind() {
    context.bind();
  }

  @AfterEach
  void allWasGivenBack() {
    cuda.releaseHung();
    context.close();
    cuda.requireCleanBooks();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 257, 4096})
  void aKernelGivesWhatPlainJavaGives(int count) {
    byte[] picture = new byte[count];
    new Random(count).nextBytes(picture);
    try (StagingBuffer host = context.stage(count);
        DeviceBuffer from = context.allocate(count);
        DeviceBuffer to = context.allocate(count);
        Program program = context.program(KERNELS);
        Kernel blur = program.kernel("blur")) {
      host.memory().copyFrom(MemorySegment.ofArray(picture));
      Stream stream = context.stream();
      stream.upload(host, from);
      stream.launch(blur, Grid.covering(count, 256), from, to, Argument.of(count));
      stream.download(to, host);
      stream.synchronise();

      assertThat(host.memory().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(blurred(picture));
    }
  }

  private static byte[] blurred(byte[] from) {
    byte[] to = new byte[from.length];
    for (int i = 0; i < from.length; i++) {
      int before = from[Math.max(0, i - 1)] & 0xFF;
      int after = from[Math.min(from.length - 1, i + 1)] & 0xFF;
      to[i] = (byte) ((before + 2 * (from[i] & 0xFF) + after + 2) >> 2);
    }
    return to;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 6, 13, 1009, 1024})
  void aGridWhoseGroupsAreLeftOpenHasExactlyItsItems(int count) {
    try (StagingBuffer host = context.stage(4L * 2 * count);
        DeviceBuffer numbers = context.allocate(4L * 2 * count);
        Program program = context.program(KERNELS);
        Kernel scale = program.kernel("scale")) {
      for (int i = 0; i < 2 * count; i++) {
        host.memory().setAtIndex(ValueLayout.JAVA_FLOAT, i, i);
      }
      Stream stream = context.stream();
      stream.upload(host, numbers);
      stream.launch(scale, Grid.of(count), numbers, Argument.of(0.5f), Argument.of(2 * count));
      stream.download(numbers, host);
      stream.synchronise();

      for (int i = 0; i < 2 * count; i++) {
        assertThat(host.memory().getAtIndex(ValueLayout.JAVA_FLOAT, i))
            .isEqualTo(i < count ? i * 0.5f : i);
      }
    }
  }

  @Test
  void aStreamWaitsForAnEventOfAnother() {
    try (StagingBuffer host = context.stage(4);
        DeviceBuffer gate = context.allocate(4);
        DeviceBuffer number = context.allocate(4);
        Program program = context.program(KERNELS);
        Kernel hang = program.kernel("hang");
        Kernel add = program.kernel("add");
        Stream first = context.openStream(Priority.NORMAL);
        Stream second = context.openStream(Priority.NORMAL)) {
      first.fill(number, (byte) 0);
      first.launch(hang, Grid.of(1), gate);
      first.launch(add, Grid.of(1), number, Argument.of(5), Argument.of(1));
      try (Event added = first.mark()) {
        second.waitFor(added);
        second.launch(add, Grid.of(1), number, Argument.of(7), Argument.of(1));
        second.download(number, host);
        assertThat(added.isDone()).isFalse();
        cuda.releaseHung();
        second.synchronise();
        assertThat(added.isDone()).isTrue();
      }
      assertThat(host.memory().get(ValueLayout.JAVA_INT, 0)).isEqualTo(12);
    }
  }

  @Test
  void eventsTellDeviceTimeAndCompleteForWhoeverWatches() throws Exception {
    try (DeviceBuffer buffer = context.allocate(1 << 20);
        Stream stream = context.openStream(Priority.HIGH);
        Event before = stream.mark()) {
      stream.fill(buffer, (byte) 1);
      try (Event after = stream.mark()) {
        after.completion().toCompletableFuture().get(20, TimeUnit.SECONDS);
        assertThat(after.since(before)).isPositive().isLessThan(Duration.ofSeconds(20));
      }
    }
  }

  @Test
  void prioritiesBecomeThoseOfTheDriver() {
    for (var expected :
        List.of(
            new Object[] {Priority.LOW, 0},
            new Object[] {Priority.NORMAL, -2},
            new Object[] {Priority.HIGH, -5})) {
      try (Stream stream = context.openStream((Priority) expected[0])) {
        assertThat(cuda.priority(stream.handle())).isEqualTo(expected[1]);
      }
    }
  }

  @Test
  void aProgramThatDoesNotCompileSaysTheLogOfTheCompiler() {
    assertThatThrownBy(() -> context.program(ProgramSource.ptx("no program")))
        .isInstanceOfSatisfying(
            ComputeException.BuildFailed.class,
            failure -> {
              assertThat(failure.log())
                  .isEqualTo("ptxas fatal : Missing .version directive at start of file");
              assertThat(failure.driverError().orElseThrow().name())
                  .isEqualTo("CUDA_ERROR_INVALID_PTX");
            });
    String newer = TestingCuda.kernels().replace(".version 6.3", ".version 9.0");
    assertThatThrownBy(() -> context.program(ProgramSource.ptx(newer)))
        .isInstanceOf(ComputeException.BuildFailed.class)
        .hasMessageContaining("CUDA_ERROR_UNSUPPORTED_PTX_VERSION (222)");
    assertThatThrownBy(() -> context.program(KERNELS.withOptions("-O3")))
        .isInstanceOf(ComputeException.BadArgument.class);
    assertThatThrownBy(() -> context.program(ProgramSource.openCl("kernel void f() {}")))
        .isInstanceOf(ComputeException.WrongLanguage.class);
  }

  @Test
  void wrongArgumentsNeverReachTheDriver() {
    try (DeviceBuffer buffer = context.allocate(4);
        Program program = context.program(KERNELS);
        Kernel add = program.kernel("add");
        Kernel scale = program.kernel("scale")) {
      assertThatThrownBy(() -> program.kernel("none"))
          .isInstanceOf(ComputeException.NoSuchKernel.class)
          .hasMessageContaining("none");
      Stream stream = context.stream();
      for (Runnable wrong :
          List.<Runnable>of(
              () -> stream.launch(add, Grid.of(1), buffer, Argument.of(1)),
              () -> stream.launch(add, Grid.of(1), buffer, Argument.of(1L), Argument.of(1)),
              () -> stream.launch(add, Grid.of(1), buffer, buffer, Argument.of(1)),
              () -> stream.launch(scale, Grid.of(1), buffer, Argument.of(1), Argument.of(1)))) {
        assertThatThrownBy(wrong::run).isInstanceOf(ComputeException.BadArgument.class);
      }
      assertThat(cuda.calls("cuLaunchKernel")).isZero();
    }
  }

  @Test
  void localMemoryGoesWithTheLaunchAndIsNoParameter() {
    try (DeviceBuffer buffer = context.allocate(4);
        Program program = context.program(KERNELS);
        Kernel add = program.kernel("add")) {
      Stream stream = context.stream();
      stream.launch(add, Grid.of(1), buffer, Argument.of(1), Argument.local(1024), Argument.of(1));
      stream.synchronise();
      assertThatThrownBy(() ->
              stream.launch(
                  add, Grid.of(1), buffer, Argument.of(1), Argument.of(1), Argument.local(1 << 20)))
          .isInstanceOf(ComputeException.DriverFailed.class)
          .hasMessageContaining("CUDA_ERROR_INVALID_VALUE");
    }
  }

  @Test
  void memoryThatRunsOutKeepsTheCodeOfTheDriverAndHarmsNothing() {
    cuda.memory(0, 4096);
    try (DeviceBuffer most = context.allocate(4000)) {
      assertThat(context.sample()).contains(new DeviceContext.Sample(96, 0));
      assertThatThrownBy(() -> context.allocate(97))
          .isInstanceOf(ComputeException.OutOfMemory.class)
          .hasMessageContaining("cuMemAlloc_v2 failed with CUDA_ERROR_OUT_OF_MEMORY (2)");
      assertThat(most.isOpen()).isTrue();
    }
    context.allocate(4096).close();
  }

  @Test
  void whatOthersDoOnTheDeviceIsSampled() {
    cuda.others(0, 2, 1, 3);
    assertThat(context.sample())
        .as("two processes and three sessions are of others")
        .contains(new DeviceContext.Sample(1 << 30, 5));
  }

  @Test
  void otherLibrariesGetTheHandlesOfTheDriver() {
    assertThat(context.handles().driver()).isEqualTo("CUDA");
    assertThat(context.handles().context()).isNotZero();
    assertThat(context.handles().device()).isZero();
  }

  @Test
  void theProbeSendsBytesThereAndBack() {
    context.probe();
    assertThat(cuda.calls("cuMemcpyDtoDAsync_v2")).isEqualTo(1);
  }
}
