package dev.fairlead.opencl;

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
import dev.fairlead.compute.driver.Parameter;
import dev.fairlead.compute.driver.ProgramSource;
import dev.fairlead.device.Device;
import dev.fairlead.device.Fault;
import dev.fairlead.nativecode.Binding;
import dev.fairlead.nativecode.Downcall;
import dev.fairlead.policy.Priority;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The compute API on a real OpenCL device. */
class OpenClComputeTest {
  private static final ProgramSource SOURCE =
      ProgramSource.openCl(
              """
              kernel void scale(global int *numbers, int factor, float unused) {
                numbers[get_global_id(0)] *= factor * STEP;
              }

              kernel void reversed(global const int *in, global int *out, local int *room) {
                int i = get_local_id(0);
                room[i] = in[get_global_id(0)];
                barrier(CLK_LOCAL_MEM_FENCE);
                out[get_global_id(0)] = room[get_local_size(0) - 1 - i];
              }

              kernel void slow(global int *numbers) {
                int sum = 0;
                for (int i = 0; i < 20000000; i++) sum = sum * 31 + numbers[i & 3];
                numbers[get_global_id(0)] = sum;
              }
              """)
          .withOptions("-D STEP=1");

  private final ComputeContext context = TestingOpenCl.open();

  @AfterEach
  void close() {
    context.close();
  }

  private void put(StagingBuffer host, int... numbers) {
    for (int i = 0; i < numbers.length; i++) {
      host.memory().setAtIndex(ValueLayout.JAVA_INT, i, numbers[i]);
    }
  }

  private static int[] numbers(StagingBuffer host) {
    return host.memory().toArray(ValueLayout.JAVA_INT);
  }

  @Test
  void aKernelComputes() {
    try (StagingBuffer host = context.stage(16);
        DeviceBuffer buffer = context.allocate(16);
        Program program = context.program(SOURCE);
        Kernel scale = program.kernel("scale")) {
      put(host, 1, 2, 3, 4);
      Stream stream = context.stream();
      stream.upload(host, buffer);
      stream.launch(scale, Grid.of(4), buffer, Argument.of(10), Argument.of(0f));
      stream.download(buffer, host);
      stream.synchronise();

      assertThat(numbers(host)).containsExactly(10, 20, 30, 40);
    }
  }

  @Test
  void groupsHaveLocalMemory() {
    try (StagingBuffer host = context.stage(16);
        DeviceBuffer in = context.allocate(16);
        DeviceBuffer out = context.allocate(16);
        Program program = context.program(SOURCE);
        Kernel reversed = program.kernel("reversed")) {
      put(host, 1, 2, 3, 4);
      Stream stream = context.stream();
      stream.upload(host, in);
      stream.launch(reversed, Grid.covering(4, 2), in, out, Argument.local(8));
      stream.download(out, host);
      stream.synchronise();

      assertThat(numbers(host)).containsExactly(2, 1, 4, 3);
      assertThat(reversed.parameters().orElseThrow())
          .extracting(Parameter::kind)
          .containsExactly(Parameter.Kind.BUFFER, Parameter.Kind.BUFFER, Parameter.Kind.LOCAL);
    }
  }

  @Test
  void partsOfBuffersAreFilledCopiedAndMoved() {
    try (StagingBuffer host = context.stage(16);
        DeviceBuffer one = context.allocate(16);
        DeviceBuffer two = context.allocate(16);
        Stream stream = context.openStream(Priority.HIGH)) {
      put(host, 1, 2, 3, 4);
      stream.fill(one, (byte) 0xFF);
      stream.fill(two, (byte) 0);
      stream.upload(host, 4, one, 8, 8);
      stream.copy(one, 4, two, 0, 12);
      stream.download(two, 0, host, 0, 16);
      stream.synchronise();

      assertThat(numbers(host)).containsExactly(-1, 2, 3, 0);
    }
  }

  @Test
  void aKernelThatDoesNotCompileComesWithItsLog() {
    assertThatThrownBy(() ->
            context.program(ProgramSource.openCl("kernel void broken() { no_such_thing(); }")))
        .isInstanceOfSatisfying(
            ComputeException.BuildFailed.class,
            failure -> {
              assertThat(failure.log()).contains("no_such_thing");
              assertThat(failure.driverError().orElseThrow().name())
                  .isEqualTo("CL_BUILD_PROGRAM_FAILURE");
              assertThat(failure.fault()).isEqualTo(Fault.WORK);
            });
    try (Program program = context.program(SOURCE)) {
      assertThatThrownBy(() -> program.kernel("none"))
          .isInstanceOf(ComputeException.NoSuchKernel.class);
    }
  }

  @Test
  void argumentsThatDoNotFitAreRefused() {
    try (Program program = context.program(SOURCE);
        Kernel scale = program.kernel("scale");
        DeviceBuffer buffer = context.allocate(16)) {
      Stream stream = context.stream();
      assertThatThrownBy(() -> stream.launch(scale, Grid.of(4), buffer, Argument.of(1)))
          .isInstanceOf(ComputeException.BadArgument.class)
          .hasMessageContaining("takes 3 arguments [int*, int, float]");
      assertThatThrownBy(
              () -> stream.launch(scale, Grid.of(4), buffer, Argument.of(1f), Argument.of(1f)))
          .isInstanceOf(ComputeException.BadArgument.class)
          .hasMessageContaining("Argument 1 of the kernel scale");
      assertThatThrownBy(() ->
              stream.launch(
                  scale, Grid.covering(1 << 20, 1 << 20), buffer, Argument.of(1), Argument.of(1f)))
          .isInstanceOfSatisfying(
              ComputeException.DriverFailed.class,
              failure -> assertThat(failure.fault()).isEqualTo(Fault.WORK));
    }
    context.probe();
  }

  @Test
  void moreMemoryThanTheDeviceHasIsRefusedAndHarmsNothing() {
    assertThatThrownBy(() -> context.allocate(1L << 50))
        .isInstanceOf(ComputeException.OutOfMemory.class)
        .hasMessageContaining("CL_");
    context.probe();
  }

  @Test
  void aBufferThatIsTooSmallOrClosedOrOfAnotherDeviceIsRefused() {
    List<Device> parts = TestingOpenCl.find("opencl:0/2").devices();
    try (ComputeContext other = TestingOpenCl.open(parts.getLast());
        StagingBuffer host = context.stage(16);
        DeviceBuffer small = context.allocate(4);
        DeviceBuffer foreign = other.allocate(16)) {
      Stream stream = context.stream();
      assertThatThrownBy(() -> stream.upload(host, small))
          .isInstanceOf(ComputeException.BufferTooSmall.class);
      assertThatThrownBy(() -> stream.upload(host, foreign))
          .isInstanceOf(ComputeException.WrongDevice.class);
      small.close();
      assertThatThrownBy(() -> stream.fill(small, (byte) 1))
          .isInstanceOf(ComputeException.Closed.class);
    }
  }

  @Test
  void eventsTellWhenTheDeviceIsDoneAndHowLongItTook() throws Exception {
    try (Program program = context.program(SOURCE);
        Kernel slow = program.kernel("slow");
        DeviceBuffer buffer = context.allocate(16);
        Stream stream = context.openStream(Priority.NORMAL);
        Stream follower = context.openStream(Priority.NORMAL);
        ClGate gate = new ClGate(context)) {
      long started = System.nanoTime();
      stream.fill(buffer, (byte) 1);
      try (Event before = stream.mark()) {
        gate.hold(stream);
        stream.launch(slow, Grid.of(1), buffer);
        try (Event after = stream.mark()) {
          follower.waitFor(after);
          try (Event following = follower.mark()) {
            boolean atOnce = after.isDone();
            gate.open();
            after.completion().toCompletableFuture().get(60, TimeUnit.SECONDS);
            Duration waited = Duration.ofNanos(System.nanoTime() - started);
            following.await();

            assertThat(atOnce).as("done before it can be").isFalse();
            assertThat(after.isDone()).isTrue();
            assertThat(after.since(before)).isPositive().isLessThanOrEqualTo(waited);
            assertThat(after.since(before)).isGreaterThan(Duration.ofMillis(1));
            assertThat(following.since(after)).isGreaterThanOrEqualTo(Duration.ZERO);
          }
        }
      }
    }
  }

  @Test
  void otherLibrariesUseTheSameObjectsByTheirHandles() {
    Cl cl = ((Binding.Bound<Cl>) Cl.binding()).functions();
    try (StagingBuffer host = context.stage(16);
        DeviceBuffer buffer = context.allocate(16);
        Arena arena = Arena.ofConfined()) {
      MemorySegment pattern = arena.allocateFrom(ValueLayout.JAVA_INT, 42);
      long queue = context.stream().handle();
      long memory = buffer.handle();
      int code =
          Downcall.number(() ->
              (int)
                  cl.enqueueFillBuffer()
                      .invokeExact(
                          queue,
                          memory,
                          pattern,
                          4L,
                          0L,
                          16L,
                          0,
                          MemorySegment.NULL,
                          MemorySegment.NULL));
      context.stream().download(buffer, host);
      context.stream().synchronise();

      assertThat(code).isZero();
      assertThat(numbers(host)).containsExactly(42, 42, 42, 42);
      assertThat(new ClDevices(cl).name(context.handles().device()))
          .isEqualTo(new ClDevices(cl).all().getFirst().name());
    }
  }

  @Test
  void bytesGoFromOnePartOfADeviceToAnother() {
    List<Device> parts = TestingOpenCl.find("opencl:0/2").devices();
    try (ComputeContext one = TestingOpenCl.open(parts.getFirst());
        ComputeContext other = TestingOpenCl.open(parts.getLast());
        StagingBuffer sent = one.stage(16);
        DeviceBuffer from = one.allocate(16);
        DeviceBuffer to = other.allocate(16);
        StagingBuffer got = other.stage(16)) {
      put(sent, 2, 7, 1, 8);
      one.stream().upload(sent, from);
      one.stream().synchronise();
      other.stream().copy(from, 4, to, 0, 12);
      other.stream().copy(from, 0, to, 12, 4);
      other.stream().download(to, got);
      other.stream().synchronise();

      assertThat(numbers(got)).containsExactly(7, 1, 8, 2);
    }
  }

  @Test
  void nativeHandlesAreThoseOfOpenCl() {
    assertThat(context.handles().driver()).isEqualTo("OpenCL");
    assertThat(context.handles().platform()).isNotZero();
    assertThat(context.handles().context()).isNotZero();
    assertThat(context.stream().handle()).isNotZero();
  }

  @Test
  void partsOfADeviceComputeEachInAContextOfTheirOwn() {
    for (Device part : TestingOpenCl.find("opencl:0/2").devices()) {
      try (ComputeContext own = TestingOpenCl.open(part)) {
        own.probe();
      }
    }
  }
}
