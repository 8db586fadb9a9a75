package dev.fairlead.backends.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Slot;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CpuContextTest {
  private static final long WORK_NANOS = 10_000_000;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @ParameterizedTest
  @ValueSource(doubles = {0.9, 0.5, 0.25, 0.1})
  void makesWorkTakeAsLongAsOnALaneSoMuchSlower(double factor) {
    CpuContext context = new CpuContext(factor);
    long started = System.nanoTime();
    long worked = context.<Long, RuntimeException>execute(where -> work(), slot(context));
    long whole = System.nanoTime() - started;

    assertThat((double) whole).isGreaterThanOrEqualTo(worked / factor);
  }

  @Test
  void countsTheSlownessOnceForEachPieceOfWork() {
    CpuContext context = new CpuContext(0.5);
    long started = System.nanoTime();
    long worked = 0;
    for (int piece = 0; piece < 5; piece++) {
      worked += context.<Long, RuntimeException>execute(where -> work(), slot(context));
    }

    assertThat(System.nanoTime() - started).isGreaterThanOrEqualTo(2 * worked);
  }

  @Test
  void givesTheWorkItsSlotAndReturnsItsResult() {
    for (double factor : new double[] {1, 0.5}) {
      CpuContext context = new CpuContext(factor);
      Slot slot = slot(context);

      assertThat(context.<Slot, RuntimeException>execute(where -> where, slot)).isSameAs(slot);
      assertThat(slot.context(CpuContext.class)).isSameAs(context);
    }
  }

  @Test
  void pacesWorkThatFailsAndLetsItsExceptionOut() {
    CpuContext context = new CpuContext(0.25);
    IOException failure = new IOException("disc full");
    AtomicLong worked = new AtomicLong();
    long started = System.nanoTime();

    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() ->
            context.<Void, IOException>execute(
                where -> {
                  worked.set(work());
                  throw failure;
                },
                slot(context)))
        .isSameAs(failure);

    assertThat(System.nanoTime() - started).isGreaterThanOrEqualTo(4 * worked.get());
  }

  @Test
  void staysPacedWhenItIsWokenForNoReason() {
    CpuContext context = new CpuContext(0.25);
    long started = System.nanoTime();
    long worked =
        context.<Long, RuntimeException>execute(
            where -> {
              LockSupport.unpark(Thread.currentThread());
              return work();
            },
            slot(context));

    assertThat(System.nanoTime() - started).isGreaterThanOrEqualTo(4 * worked);
  }

  @Test
  void givesTheThreadBackWhenInterruptedAndKeepsTheInterrupt() throws InterruptedException {
    // A millionth of the speed: the pause would take hours.
    CpuContext context = new CpuContext(1e-6);
    AtomicBoolean interrupted = new AtomicBoolean();
    AtomicLong result = new AtomicLong();
    Thread lane =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              result.set(context.<Long, RuntimeException>execute(where -> work(), slot(context)));
              interrupted.set(Thread.currentThread().isInterrupted());
            });
    awaitPause(lane);

    lane.interrupt();
    assertThat(lane.join(PATIENCE)).as("the thread is given back").isTrue();

    assertThat(interrupted).as("still set").isTrue();
    assertThat(result.get()).as("the work was done").isGreaterThanOrEqualTo(WORK_NANOS);
  }

  private static void awaitPause(Thread lane) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (lane.isAlive() && lane.getState() != Thread.State.TIMED_WAITING) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("The lane is " + lane.getState() + " and does not pause");
      }
      Thread.onSpinWait();
    }
  }

  @Test
  void doesNotPauseAtAllWhenTheWorkItselfWasInterrupted() {
    CpuContext context = new CpuContext(1e-6);

    context.<Long, RuntimeException>execute(
        where -> {
          Thread.currentThread().interrupt();
          return work();
        },
        slot(context));

    assertThat(Thread.interrupted()).as("still set").isTrue();
  }

  @Test
  void cannotTellWhichMemoryIsItsOwn() {
    assertThat(new CpuContext(1).sample()).isEmpty();
  }

  /** Works for a known time, and says for how long it did. */
  private static long work() {
    long started = System.nanoTime();
    long worked = 0;
    while (worked < WORK_NANOS) {
      Thread.onSpinWait();
      worked = System.nanoTime() - started;
    }
    return worked;
  }

  private static Slot slot(CpuContext context) {
    return new Slot(Device.of(DeviceKind.CPU, 0), 0, 0, context);
  }
}
