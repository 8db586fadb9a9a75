package dev.fairlead.pool;

import dev.fairlead.device.Device;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.QueuedWork;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A job that stays inside until it is let go, and remembers where it ran and how it ended. */
final class TestingJob implements QueuedWork {
  private final String name;
  private final CountDownLatch goOn;
  private final CountDownLatch started = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicInteger runs = new AtomicInteger();
  private final AtomicInteger abandons = new AtomicInteger();
  private final CompletableFuture<Device> device = new CompletableFuture<>();
  private final CompletableFuture<Throwable> reason = new CompletableFuture<>();
  private volatile List<String> log = List.of();
  private volatile boolean isQuiet = true;

  private TestingJob(String name, int holds) {
    this.name = name;
    this.goOn = new CountDownLatch(holds);
  }

  /** One that runs until it is let go. */
  static TestingJob held(String name) {
    return new TestingJob(name, 1);
  }

  static TestingJob quick(String name) {
    return new TestingJob(name, 0);
  }

  /** Writes its name there when it starts. */
  TestingJob startingIn(List<String> starts) {
    log = starts;
    isQuiet = false;
    return this;
  }

  @Override
  public void run(Lease lease) {
    runs.incrementAndGet();
    if (!isQuiet) {
      log.add(name);
    }
    device.complete(lease.device());
    started.countDown();
    stay();
    lease.succeedIfOpen();
    ended.countDown();
  }

  /** Goes by itself only once its test has failed, so that its pool closes at once. */
  private void stay() {
    long end = System.nanoTime() + TestingPools.LONG.toNanos();
    int inVain = Eventually.inVain();
    while (goOn.getCount() > 0 && Eventually.inVain() == inVain && System.nanoTime() - end < 0) {
      try {
        boolean _ = goOn.await(20, TimeUnit.MILLISECONDS);
      } catch (InterruptedException ignored) {
        // The test says when it goes.
      }
    }
  }

  @Override
  public void abandon(Throwable why) {
    abandons.incrementAndGet();
    reason.complete(why);
    ended.countDown();
  }

  @Override
  public String holder() {
    return name;
  }

  TestingJob letGo() {
    goOn.countDown();
    return this;
  }

  TestingJob awaitStart() {
    Eventually.open(started);
    return this;
  }

  /** Waits until it has run or was abandoned. */
  TestingJob awaitEnd() {
    Eventually.open(ended);
    return this;
  }

  boolean hasStarted() {
    return runs.get() > 0;
  }

  boolean hasEnded() {
    return ended.getCount() == 0;
  }

  int runs() {
    return runs.get();
  }

  int abandons() {
    return abandons.get();
  }

  /** Where it ran; waits until it has started. */
  Device device() {
    awaitStart();
    return device.join();
  }

  /** Why it was abandoned; waits until it was. */
  Throwable reason() {
    awaitEnd();
    return reason.join();
  }

  @Override
  public String toString() {
    return name;
  }
}
