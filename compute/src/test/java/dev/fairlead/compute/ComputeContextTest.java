package dev.fairlead.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.compute.driver.Grid;
import dev.fairlead.compute.driver.ProgramSource;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Fault;
import dev.fairlead.policy.Priority;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ComputeContextTest {
  private static final Device DEVICE = Device.of(DeviceKind.SIMULATED, 0).withMemory(10_000);
  private static final ProgramSource SOURCE = ProgramSource.openCl("kernels");

  private final TestingDriver driver = new TestingDriver(10_000);
  private final ComputeContext context = ComputeContext.over(DEVICE, driver);

  @BeforeEach
  void bind() {
    context.bind();
  }

  @AfterEach
  void nothingIsLeft() {
    driver.events.countDown();
    context.close();
    assertThat(driver.closed).isTrue();
    assertThat(driver.open).as("what the driver still has").isEmpty();
  }

  private static void onAnotherThread(Runnable work) throws Exception {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread.ofPlatform()
        .start(() -> {
          try {
            work.run();
            done.complete(null);
          } catch (RuntimeException | Error failure) {
            done.completeExceptionally(failure);
          }
        });
    try {
      done.get(10, TimeUnit.SECONDS);
    } catch (ExecutionException failure) {
      throw new AssertionError(failure.getCause());
    }
  }

  @Test
  void bytesGoToTheDeviceThroughAKernelAndBack() {
    try (StagingBuffer host = context.stage(4);
        DeviceBuffer buffer = context.allocate(4);
        Program program = context.program(SOURCE);
        Kernel add = program.kernel("add")) {
      host.memory().copyFrom(MemorySegment.ofArray(new byte[] {1, 2, 3, 4}));
      Stream stream = context.stream();
      stream.upload(host, buffer);
      stream.launch(add, Grid.of(4), buffer, Argument.of(10));
      stream.download(buffer, host);
      stream.synchronise();

      assertThat(host.memory().toArray(ValueLayout.JAVA_BYTE)).containsExactly(11, 12, 13, 14);
    }
    assertThat(context.stream()).as("a thread has one stream").isSameAs(context.stream());
  }

  @Test
  void aCopyBeyondTheEndIsRefusedBeforeTheDriverIsAsked() {
    try (StagingBuffer host = context.stage(8);
        DeviceBuffer small = context.allocate(4);
        DeviceBuffer large = context.allocate(8)) {
      Stream stream = context.stream();
      driver.calls.clear();

      for (Runnable each :
          List.<Runnable>of(
              () -> stream.upload(host, small),
              () -> stream.upload(host, 0, large, 1, 8),
              () -> stream.upload(host, -1, large, 0, 2),
              () -> stream.upload(host, 0, large, 0, -1),
              () -> stream.upload(host, 0, large, Long.MAX_VALUE, 8),
              () -> stream.download(small, host),
              () -> stream.copy(large, small))) {
        assertThatThrownBy(each::run).isInstanceOf(ComputeException.BufferTooSmall.class);
      }
      assertThat(driver.calls).isEmpty();
    }
  }

  @Test
  void nothingCanBeUsedAfterItWasClosed() {
    Stream stream = context.stream();
    StagingBuffer host = context.stage(4);
    DeviceBuffer buffer = context.allocate(4);
    Event event = stream.mark();
    var memory = host.memory();
    host.close();
    buffer.close();
    buffer.close();
    event.close();

    assertThatThrownBy(() -> stream.fill(buffer, (byte) 0))
        .isInstanceOf(ComputeException.Closed.class)
        .hasMessageContaining("A buffer of 4 bytes on simulated:0");
    assertThatThrownBy(buffer::handle).isInstanceOf(ComputeException.Closed.class);
    assertThatThrownBy(host::memory).isInstanceOf(ComputeException.Closed.class);
    assertThatThrownBy(event::await).isInstanceOf(ComputeException.Closed.class);
    assertThatThrownBy(() -> memory.get(ValueLayout.JAVA_BYTE, 0))
        .as("memory that was handed out before")
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void whatBelongsToAnotherDeviceIsRefused() {
    Device elsewhere = Device.of(DeviceKind.SIMULATED, 1);
    TestingDriver otherDriver = new TestingDriver(1000);
    ComputeContext other = ComputeContext.over(elsewhere, otherDriver);
    other.bind();
    try (DeviceBuffer foreign = other.allocate(4)) {
      assertThatThrownBy(() -> context.stream().fill(foreign, (byte) 0))
          .isInstanceOf(ComputeException.WrongDevice.class)
          .hasMessageContaining("on simulated:1 was used on simulated:0");
    }
    other.close();
    assertThat(otherDriver.open).isEmpty();
  }

  @Test
  void whatADeadGenerationOwnedIsRefusedAndNeverTouched() {
    TestingDriver oldDriver = new TestingDriver(1000);
    ComputeContext old = ComputeContext.over(DEVICE, oldDriver);
    old.bind();
    DeviceBuffer stale = old.allocate(4);
    Stream staleStream = old.stream();
    old.close();
    oldDriver.calls.clear();

    assertThatThrownBy(() -> context.stream().fill(stale, (byte) 0))
        .isInstanceOf(ComputeException.StaleGeneration.class)
        .hasMessageContaining("earlier generation of simulated:0");
    assertThatThrownBy(staleStream::synchronise)
        .isInstanceOf(ComputeException.StaleGeneration.class);
    assertThatThrownBy(() -> old.allocate(1)).isInstanceOf(ComputeException.StaleGeneration.class);
    stale.close();
    assertThat(oldDriver.calls).isEmpty();
  }

  @Test
  void argumentsAreCheckedAgainstWhatTheKernelTakes() {
    try (Program program = context.program(SOURCE);
        Kernel add = program.kernel("add");
        Kernel opaque = program.kernel("opaque");
        DeviceBuffer buffer = context.allocate(4)) {
      Stream stream = context.stream();
      Grid grid = Grid.of(4);
      assertThatThrownBy(() -> stream.launch(add, grid, buffer))
          .isInstanceOf(ComputeException.BadArgument.class)
          .hasMessageContaining("takes 2 arguments [uchar*, int] and was given 1");
      for (List<? extends Argument> each :
          List.of(
              List.of(Argument.of(1), Argument.of(1)),
              List.<Argument>of(buffer, buffer),
              List.of(buffer, Argument.of(1L)),
              List.of(buffer, Argument.of(1f)),
              List.of(buffer, Argument.local(4)))) {
        assertThatThrownBy(() -> stream.launch(add, grid, each.toArray(Argument[]::new)))
            .as("%s", each)
            .isInstanceOf(ComputeException.BadArgument.class);
      }
      stream.launch(add, grid, buffer, Argument.of(new byte[4]));
      stream.launch(opaque, grid, buffer, Argument.of(1));
    }
  }

  @Test
  void aProgramIsBuiltOnceAndKeptWhenNobodyUsesIt() {
    context.program(SOURCE).close();
    context.program(SOURCE).close();
    context.program(SOURCE.withOptions("-DX")).close();
    assertThat(driver.calls.stream().filter("build"::equals)).hasSize(2);

    for (int i = 0; i < Programs.MOST_IDLE; i++) {
      context.program(ProgramSource.openCl("another " + i)).close();
    }
    assertThat(driver.calls.stream().filter("releaseProgram"::equals)).hasSize(2);
    context.program(SOURCE).close();
    assertThat(driver.calls.stream().filter("build"::equals)).hasSize(3 + Programs.MOST_IDLE);
  }

  @Test
  void aKernelKeepsItsProgram() {
    Program program = context.program(SOURCE);
    Kernel kernel = program.kernel("add");
    program.close();
    for (int i = 0; i <= Programs.MOST_IDLE; i++) {
      context.program(ProgramSource.openCl("another " + i)).close();
    }
    try (DeviceBuffer buffer = context.allocate(4)) {
      context.stream().launch(kernel, Grid.of(1), buffer, Argument.of(1));
    }
    assertThat(driver.open.values()).contains(new TestingDriver.Built("kernels"));
  }

  @Test
  void programsThatCannotBeBuiltSayWhy() {
    assertThatThrownBy(() -> context.program(ProgramSource.openCl("syntax error")))
        .isInstanceOfSatisfying(
            ComputeException.BuildFailed.class,
            failure -> {
              assertThat(failure.log()).isEqualTo("line 1: syntax error");
              assertThat(failure.fault()).isEqualTo(Fault.WORK);
            });
    assertThatThrownBy(() -> context.program(ProgramSource.ptx(".version 6.3")))
        .isInstanceOf(ComputeException.WrongLanguage.class);
    context.program(ProgramSource.ptx(".version 6.3"), SOURCE).close();
    try (Program program = context.program(SOURCE)) {
      assertThatThrownBy(() -> program.kernel("none"))
          .isInstanceOf(ComputeException.NoSuchKernel.class);
    }
  }

  @Test
  void callsOnOtherThreadsAreRefusedAndClosingThereIsLeftToTheDevice() throws Exception {
    DeviceBuffer buffer = context.allocate(10_000);
    Stream stream = context.stream();
    onAnotherThread(() -> {
      assertThatThrownBy(() -> stream.fill(buffer, (byte) 0))
          .isInstanceOf(ComputeException.WrongThread.class);
      buffer.close();
    });
    assertThat(driver.calls).doesNotContain("free");
    context.allocate(10_000).close();
    assertThat(driver.calls).contains("free");
  }

  @Test
  void memoryRunsOutWithAnErrorOfItsOwn() {
    try (DeviceBuffer all = context.allocate(10_000)) {
      assertThat(all.bytes()).isEqualTo(10_000);
      assertThat(context.sample().orElseThrow().freeBytes()).isZero();
      assertThatThrownBy(() -> context.allocate(1))
          .isInstanceOf(ComputeException.OutOfMemory.class)
          .hasMessageContaining("TESTING_2");
    }
    assertThat(context.sample().orElseThrow().freeBytes()).isEqualTo(10_000);
  }

  @Test
  void streamsOfOthersAreSampled() {
    driver.foreignStreams = 3;
    assertThat(context.sample().orElseThrow().foreignStreams()).isEqualTo(3);
  }

  @Test
  void memoryThatOthersFreeIsWaitedFor() throws Exception {
    DeviceBuffer all = context.allocate(10_000);
    CountDownLatch asked = new CountDownLatch(1);
    driver.allocating = asked::countDown;
    CompletableFuture<Long> got = new CompletableFuture<>();
    Thread other =
        Thread.ofPlatform()
            .start(() -> {
              context.bind();
              try (DeviceBuffer late = context.allocate(10_000)) {
                got.complete(late.bytes());
              } catch (RuntimeException | Error failure) {
                got.completeExceptionally(failure);
              }
            });
    TestingDriver.await(asked);
    all.close();

    assertThat(got.get(10, TimeUnit.SECONDS)).isEqualTo(10_000);
    assertThat(other.join(Duration.ofSeconds(10))).isTrue();
  }

  @Test
  void closingAStagingBufferWaitsForItsCopies() {
    try (DeviceBuffer buffer = context.allocate(4);
        Stream stream = context.openStream(Priority.HIGH)) {
      StagingBuffer copied = context.stage(4);
      stream.upload(copied, buffer);
      driver.calls.clear();
      copied.close();
      assertThat(driver.calls).containsExactly("synchronise", "unpin");

      StagingBuffer settled = context.stage(4);
      stream.upload(settled, buffer);
      try (Event event = stream.mark()) {
        event.await();
      }
      driver.calls.clear();
      settled.close();
      assertThat(driver.calls).containsExactly("unpin");
    }
  }

  @Test
  void anEventCompletesWhenTheDeviceIsThereAndNotBefore() throws Exception {
    driver.events = new CountDownLatch(1);
    Stream stream = context.openStream(Priority.NORMAL);
    Event first = stream.mark();
    Event second = stream.mark();
    var done = second.completion().toCompletableFuture();
    second.close();

    assertThat(first.isDone()).isFalse();
    assertThat(done).isNotDone();
    driver.events.countDown();
    done.get(10, TimeUnit.SECONDS);
    assertThat(first.isDone()).isTrue();
    stream.close();
  }

  @Test
  void anEventFailsWithWhatWentWrongBeforeIt() {
    Stream stream = context.openStream(Priority.NORMAL);
    Event event = stream.mark();
    driver.failNext("awaited", TestingDriver.LAUNCH_FAILED);
    var done = event.completion().toCompletableFuture();

    assertThatThrownBy(() -> done.get(10, TimeUnit.SECONDS))
        .hasCauseInstanceOf(ComputeException.DriverFailed.class);
  }

  @Test
  void eventsTellTheTimeOfTheDevice() {
    Stream stream = context.stream();
    try (Event earlier = stream.mark();
        Event later = stream.mark()) {
      assertThat(later.since(earlier)).isEqualTo(Duration.ofNanos(1));
      stream.waitFor(earlier);
    }
  }

  @Test
  void aProbeShowsAWrongDevice() {
    int before = driver.open.size();
    context.probe();
    assertThat(driver.open).hasSize(before);
    driver.failNext("copy", TestingDriver.LAUNCH_FAILED);
    assertThatThrownBy(context::probe).isInstanceOf(ComputeException.DriverFailed.class);
    assertThat(driver.open).as("after a failed probe").hasSize(before);
  }

  @Test
  void handlesAreThoseOfTheDriver() {
    assertThat(context.handles().context()).isEqualTo(8);
    try (DeviceBuffer buffer = context.allocate(1)) {
      assertThat(driver.open).containsKey(buffer.handle());
    }
  }
}
