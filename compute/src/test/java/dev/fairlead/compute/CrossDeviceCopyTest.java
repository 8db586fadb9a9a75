package dev.fairlead.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Fault;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies between devices, on threads of the one that the bytes go to. */
class CrossDeviceCopyTest {
  private static final long MUCH = 4 * CrossDeviceCopy.PIECE;

  private final TestingDriver hereDriver = new TestingDriver(MUCH);
  private final TestingDriver thereDriver = new TestingDriver(MUCH);
  private final ComputeContext here =
      ComputeContext.over(Device.of(DeviceKind.SIMULATED, 0), hereDriver);
  private final ComputeContext there =
      ComputeContext.over(Device.of(DeviceKind.SIMULATED, 1), thereDriver);

  @BeforeEach
  void bind() {
    here.bind();
  }

  @AfterEach
  void close() {
    here.close();
    there.close();
    assertThat(hereDriver.open).as("what is left here").isEmpty();
  }

  /** Runs work on a thread of the other device, as its lease would. */
  private <R> R onTheOther(Supplier<R> work) throws Exception {
    CompletableFuture<R> result = new CompletableFuture<>();
    Thread other =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              try {
                there.bind();
                result.complete(work.get());
              } catch (RuntimeException | Error failure) {
                result.completeExceptionally(failure);
              }
            });
    TestingDriver.awaitEnd(other);
    return result.get();
  }

  private DeviceBuffer filled(byte[] bytes) throws Exception {
    return onTheOther(() -> {
      try (StagingBuffer host = there.stage(bytes.length)) {
        host.memory().copyFrom(MemorySegment.ofArray(bytes));
        DeviceBuffer buffer = there.allocate(bytes.length);
        there.stream().upload(host, buffer);
        there.stream().synchronise();
        return buffer;
      }
    });
  }

  private byte[] read(DeviceBuffer buffer) {
    try (StagingBuffer host = here.stage(buffer.bytes())) {
      here.stream().download(buffer, host);
      here.stream().synchronise();
      return host.memory().toArray(ValueLayout.JAVA_BYTE);
    }
  }

  @ParameterizedTest
  @ValueSource(
      longs = {
        1,
        1000,
        CrossDeviceCopy.PIECE,
        CrossDeviceCopy.PIECE + 1,
        2 * CrossDeviceCopy.PIECE + 7
      })
  void bytesComeOverTheHostInPieces(long size) throws Exception {
    byte[] bytes = new byte[(int) size];
    new Random(size).nextBytes(bytes);
    DeviceBuffer from = filled(bytes);
    try (DeviceBuffer to = here.allocate(size)) {
      hereDriver.calls.clear();
      boolean straight = here.stream().copy(from, to);

      assertThat(straight).isFalse();
      assertThat(hereDriver.longestPin).hasValue(Math.min(size, CrossDeviceCopy.PIECE));
      assertThat(read(to)).isEqualTo(bytes);
    }
    assertThat(thereDriver.boundThreads).contains(Thread.currentThread());
    assertThat(hereDriver.calls).as("its own context is current again").contains("bind");
    assertThatThrownBy(() -> there.allocate(1))
        .as("the guest has left")
        .isInstanceOf(ComputeException.WrongThread.class);
  }

  @Test
  void aPartOfABufferComesToItsPlace() throws Exception {
    DeviceBuffer from = filled(new byte[] {1, 2, 3, 4, 5});
    try (DeviceBuffer to = here.allocate(6)) {
      here.stream().fill(to, (byte) 9);
      here.stream().copy(from, 1, to, 2, 3);

      assertThat(read(to)).containsExactly(9, 9, 2, 3, 4, 9);
      assertThatThrownBy(() -> here.stream().copy(from, 3, to, 0, 3))
          .isInstanceOf(ComputeException.BufferTooSmall.class);
    }
  }

  @Test
  void whatTheDriverReachesByItselfDoesNotTouchTheHost() throws Exception {
    DeviceBuffer from = filled(new byte[] {1, 2, 3});
    hereDriver.reached = thereDriver;
    try (DeviceBuffer to = here.allocate(3)) {
      thereDriver.calls.clear();
      boolean straight = here.stream().copy(from, to);

      assertThat(straight).isTrue();
      assertThat(hereDriver.calls)
          .contains("copyAcross", "synchronise")
          .doesNotContain("pin", "upload");
      assertThat(thereDriver.calls).isEmpty();
      assertThat(read(to)).containsExactly(1, 2, 3);
    }
  }

  @Test
  void aCopyIsGivenToAStreamOfTheDeviceThatItGoesTo() throws Exception {
    DeviceBuffer foreign = filled(new byte[4]);
    try (DeviceBuffer own = here.allocate(4)) {
      assertThatThrownBy(() -> here.stream().copy(own, foreign))
          .isInstanceOf(ComputeException.WrongDevice.class)
          .hasMessageContaining("on simulated:1 was used on simulated:0")
          .hasMessageContaining("Stream.copy");
    }
  }

  @Test
  void aFailureOfTheOtherDeviceIsNotBlamedOnThisOne() throws Exception {
    DeviceBuffer from = filled(new byte[4]);
    try (DeviceBuffer to = here.allocate(4)) {
      thereDriver.failNext("download", TestingDriver.ILLEGAL_ADDRESS);
      for (int time = 0; time < 2; time++) {
        assertThatThrownBy(() -> here.stream().copy(from, to))
            .isInstanceOfSatisfying(
                ComputeException.OtherDeviceFailed.class,
                failure -> {
                  assertThat(failure.fault()).isEqualTo(Fault.WORK);
                  assertThat(failure.driverError().orElseThrow().code())
                      .isEqualTo(TestingDriver.ILLEGAL_ADDRESS);
                  assertThat(failure).hasMessageContaining("on simulated:1 cannot be copied from");
                });
      }
      here.probe();
      assertThatThrownBy(() -> onTheOther(() -> there.allocate(1)))
          .as("the other one finds out")
          .hasCauseInstanceOf(ComputeException.Poisoned.class);
    }
  }

  @Test
  void aPoisonedDeviceIsNotEvenReachedStraight() throws Exception {
    DeviceBuffer from = filled(new byte[4]);
    hereDriver.reached = thereDriver;
    thereDriver.failNext("allocate", TestingDriver.ILLEGAL_ADDRESS);
    assertThatThrownBy(() -> onTheOther(() -> there.allocate(1)))
        .hasCauseInstanceOf(ComputeException.DriverFailed.class);
    try (DeviceBuffer to = here.allocate(4)) {
      assertThatThrownBy(() -> here.stream().copy(from, to))
          .isInstanceOf(ComputeException.OtherDeviceFailed.class);
    }
    assertThat(hereDriver.calls).doesNotContain("copyAcross");
  }

  @Test
  void whatIsGoneOnTheOtherDeviceIsRefused() throws Exception {
    DeviceBuffer closed = filled(new byte[4]);
    DeviceBuffer stale = filled(new byte[4]);
    try (DeviceBuffer to = here.allocate(4)) {
      closed.close();
      assertThatThrownBy(() -> here.stream().copy(closed, to))
          .isInstanceOf(ComputeException.Closed.class);
      there.close();
      assertThatThrownBy(() -> here.stream().copy(stale, to))
          .isInstanceOf(ComputeException.StaleGeneration.class);
    }
  }

  @Test
  void theOtherDeviceIsNotClosedUnderACopy() throws Exception {
    DeviceBuffer from = filled(new byte[4]);
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    thereDriver.downloading =
        () -> {
          inside.countDown();
          TestingDriver.await(go);
        };
    Thread copying =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              here.bind();
              try (DeviceBuffer to = here.allocate(4)) {
                here.stream().copy(from, to);
              }
            });
    TestingDriver.await(inside);
    Thread closing = Thread.ofPlatform().daemon().start(there::close);
    TestingDriver.awaitWaiting(closing);
    assertThat(thereDriver.closed).isFalse();
    go.countDown();
    TestingDriver.awaitEnd(copying);
    TestingDriver.awaitEnd(closing);
    assertThat(thereDriver.closed).isTrue();
    assertThat(thereDriver.open).isEmpty();
  }
}
