package dev.fairlead.backends.cpu;

import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.DeviceWork;
import dev.fairlead.device.Slot;
import java.util.concurrent.locks.LockSupport;

/**
 * The context of a CPU lane: it paces the work of a slowed one. Memory is shared by all lanes and
 * cannot be told apart, so that a lane has no sample to give.
 */
final class CpuContext implements DeviceContext {
  private final double factor;

  /**
   * Makes a context.
   *
   * @param factor the lane's speed, from just above 0 to 1
   */
  CpuContext(double factor) {
    this.factor = factor;
  }

  @Override
  public <R, X extends Exception> R execute(DeviceWork<R, X> work, Slot slot) throws X {
    if (factor == 1) {
      return work.run(slot);
    }
    long started = System.nanoTime();
    try {
      return work.run(slot);
    } finally {
      pace(started);
    }
  }

  /**
   * Waits until what began at {@code started} has taken as long as on a lane this slow, failed work
   * too. An interrupt ends the wait and stays set: whoever interrupts wants the thread back.
   */
  private void pace(long started) {
    long ended = System.nanoTime();
    double elapsed = ended - started;
    long pause = (long) Math.ceil(elapsed / factor - elapsed);
    for (long left = pause;
        left > 0 && !Thread.currentThread().isInterrupted();
        left = pause - (System.nanoTime() - ended)) {
      LockSupport.parkNanos(this, left);
    }
  }

  @Override
  public void close() {}

  @Override
  public String toString() {
    return "CPU lane at speed " + factor;
  }
}
