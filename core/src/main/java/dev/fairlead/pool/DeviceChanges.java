package dev.fairlead.pool;

import dev.fairlead.device.Device;
import dev.fairlead.event.PoolListener;
import dev.fairlead.lease.PoolException;
import dev.fairlead.ledger.Ledger;
import dev.fairlead.ledger.ServingState;
import dev.fairlead.run.DeviceRuntime;
import dev.fairlead.run.DeviceThread;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Predicate;

/** Pauses, resumes, drains and removes devices at a caller's request. */
final class DeviceChanges {
  private final PoolCore pool;

  DeviceChanges(PoolCore pool) {
    this.pool = pool;
  }

  /** Changes how a device stands, and leaves the event in the order of such changes. */
  private void change(
      DeviceRuntime runtime,
      Predicate<ServingState> how,
      Function<Device, PoolListener.Event> event) {
    runtime
        .ledger()
        .change(serving -> {
          if (how.test(serving)) {
            pool.events().tell(event.apply(runtime.device()));
          }
        });
  }

  /** Lets a device take no new work; its queued jobs are placed anew. */
  void pause(DeviceRuntime runtime) {
    change(runtime, ServingState::pause, PoolListener.Event.Paused::new);
    pool.endings().attend(runtime);
  }

  /** Lets a device serve again, and take over what waits. */
  void resume(DeviceRuntime runtime) {
    change(runtime, ServingState::resume, PoolListener.Event.Resumed::new);
    pool.endings().attend(runtime);
    pool.room().tellChange();
  }

  /**
   * Pauses a device and waits until nothing is left on it.
   *
   * @return false if that took too long, or if the device was resumed meanwhile
   */
  boolean drain(DeviceRuntime runtime, Duration patience) throws InterruptedException {
    if (DeviceThread.isOf(pool.endings()) && Timing.nanos(patience) == Long.MAX_VALUE) {
      throw new PoolException.WouldHang("Draining a device without a limit");
    }
    Ledger ledger = runtime.ledger();
    pause(runtime);
    boolean _ =
        pool.room()
            .awaitChange(
                () ->
                    ledger.isDrained()
                        || !ledger.serving(ServingState::isPaused)
                        || !pool.fleet().has(runtime)
                        || pool.isClosed(),
                patience);
    return ledger.isDrained() || !pool.fleet().has(runtime);
  }

  /** Removes a device once nothing is left on it; whether it is gone by then. */
  boolean remove(DeviceRuntime runtime, Duration patience) throws InterruptedException {
    change(runtime, ServingState::remove, PoolListener.Event.Leaving::new);
    pool.endings().attend(runtime);
    boolean _ =
        pool.room().awaitChange(() -> !pool.fleet().has(runtime) || pool.isClosed(), patience);
    return !pool.fleet().has(runtime);
  }
}
