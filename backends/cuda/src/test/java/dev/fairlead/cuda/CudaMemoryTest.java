package dev.fairlead.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.compute.ComputeContext;
import dev.fairlead.compute.DeviceBuffer;
import dev.fairlead.compute.Kernel;
import dev.fairlead.compute.Program;
import dev.fairlead.compute.StagingBuffer;
import dev.fairlead.compute.Stream;
import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.compute.driver.Grid;
import dev.fairlead.compute.driver.ProgramSource;
import dev.fairlead.device.Device;
import dev.fairlead.policy.Priority;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What allocating, freeing and copying over the host wait for, by the books of the double. */
@Timeout(60)
class CudaMemoryTest {
  private static final long PIECE = 16L << 20;

  private final TestingCuda cuda = TestingCuda.with(3);
  private final CudaProvider provider = cuda.provider();
  private final List<Device> devices = provider.discover(List.of()).devices();
  private final ComputeContext context = open(0);

  private ComputeContext open(int device) {
    ComputeContext opened = (ComputeContext) provider.open(devices.get(device));
    opened.bind();
    return opened;
  }

  @AfterEach
  void allWasGivenBack() {
    cuda.releaseHung();
    context.bind();
    context.close();
    cuda.requireCleanBooks();
  }

  private long free() {
    return context.sample().orElseThrow().freeBytes();
  }

  private Kernel kernel(String name) {
    Program program = context.program(ProgramSource.ptx(TestingCuda.kernels()));
    return program.kernel(name);
  }

  @Test
  void buffersThatComeAndGoAreAllocatedOnceAndCountAsFree() {
    long before = free();
    for (int i = 0; i < 50; i++) {
      try (DeviceBuffer buffer = context.allocate(4096);
          StagingBuffer host = context.stage(4096)) {
        context.stream().upload(host, buffer);
        context.stream().synchronise();
        assertThat(free()).isEqualTo(before - 4096);
      }
    }
    assertThat(free()).isEqualTo(before);
    assertThat(cuda.calls("cuMemAlloc_v2")).isEqualTo(1);
    assertThat(cuda.calls("cuMemHostAlloc")).isEqualTo(1);
    assertThat(cuda.calls("cuMemFree_v2") + cuda.calls("cuMemFreeHost")).isZero();
  }

  /** In a driver, freeing waits for kernels of every stream: here one runs all the time. */
  @Test
  void memoryComesAndGoesWhileAKernelRunsOnAnotherStream() {
    try (DeviceBuffer word = context.allocate(4);
        Stream other = context.openStream(Priority.NORMAL)) {
      context.stream().fill(word, (byte) 0);
      context.stream().synchronise();
      other.launch(kernel("hang"), Grid.of(1), word);
      List<DeviceBuffer> some = new ArrayList<>();
      for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 4; i++) {
          some.add(context.allocate(1 << 16));
          context.stream().fill(some.getLast(), (byte) i);
        }
        context.stream().synchronise();
        some.forEach(DeviceBuffer::close);
        some.clear();
      }
      assertThat(cuda.calls("cuMemFree_v2")).isZero();
      cuda.releaseHung();
      other.synchronise();
    }
  }

  @Test
  void aBlockIsNotUsedAgainWhileACommandThatUsesItIsOnItsWay() {
    try (DeviceBuffer word = context.allocate(4);
        Stream other = context.openStream(Priority.NORMAL)) {
      context.stream().fill(word, (byte) 0);
      context.stream().synchronise();
      DeviceBuffer first = context.allocate(1024);
      long address = first.handle();
      other.launch(kernel("hang"), Grid.of(1), word);
      other.fill(first, (byte) 7);
      first.close();
      try (DeviceBuffer second = context.allocate(1024)) {
        assertThat(second.handle()).isNotEqualTo(address);
      }
      cuda.releaseHung();
      other.synchronise();
      context.stream().synchronise();
      List<DeviceBuffer> both = List.of(context.allocate(1024), context.allocate(1024));
      assertThat(both).extracting(DeviceBuffer::handle).contains(address);
      both.forEach(DeviceBuffer::close);
    }
  }

  @Test
  void whatIsKeptGoesBackBeforeAnAllocationFails() {
    cuda.memory(0, 1 << 20);
    context.allocate(100_000).close();
    context.allocate(150_000).close();
    try (DeviceBuffer most = context.allocate(1 << 20)) {
      assertThat(most.bytes()).isEqualTo(1 << 20);
      assertThat(cuda.calls("cuMemFree_v2")).isEqualTo(2);
      assertThatThrownBy(() -> context.allocate(1))
          .isInstanceOf(ComputeException.OutOfMemory.class);
    }
  }

  @Test
  void noMoreThanAQuarterOfTheMemoryIsKept() {
    long much = devices.getFirst().memoryBytes() / 4 - 4096;
    context.allocate(much).close();
    context.allocate(1 << 20).close();
    assertThat(cuda.calls("cuMemFree_v2")).as("there is no room for a second one").isEqualTo(1);
  }

  @Test
  void whatComesFromAnotherDeviceOverTheHostIsReadWhileItIsWritten() {
    byte[] bytes = new byte[(int) (3 * PIECE + 5)];
    new Random(15).nextBytes(bytes);
    // The third device is out of reach of the first.
    ComputeContext far = open(2);
    DeviceBuffer source = far.allocate(bytes.length);
    try (StagingBuffer host = far.stage(bytes.length)) {
      host.memory().copyFrom(MemorySegment.ofArray(bytes));
      far.stream().upload(host, source);
      far.stream().synchronise();
    }
    context.bind();
    try (DeviceBuffer target = context.allocate(bytes.length);
        StagingBuffer host = context.stage(bytes.length)) {
      int before = cuda.order().size();
      context.stream().copy(source, target);
      List<String> order = cuda.order().subList(before, cuda.order().size());
      context.stream().download(target, host);
      context.stream().synchronise();
      assertThat(host.memory().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(bytes);

      String read = "cuMemcpyDtoHAsync_v2:2";
      String arrived = "cuStreamSynchronize:2";
      String write = "cuMemcpyHtoDAsync_v2:0";
      String written = "cuEventSynchronize:0";
      assertThat(order)
          .containsExactly(
              read,
              arrived,
              write,
              read,
              arrived,
              write,
              written,
              read,
              arrived,
              write,
              written,
              read,
              arrived,
              write,
              "cuStreamSynchronize:0");
    }
    far.bind();
    source.close();
    far.close();
  }
}
