package dev.fairlead.dispatch;

import dev.fairlead.policy.Demand;
import dev.fairlead.pool.PoolException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A dispatcher as an executor: what is executed is placed by one demand. */
final class DispatcherExecutor extends AbstractExecutorService {
  private final Dispatcher dispatcher;
  private final Demand demand;
  private final Map<Runnable, Task<?>> running = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private int inFlight;
  private boolean shut;

  DispatcherExecutor(Dispatcher dispatcher, Demand demand) {
    this.dispatcher = dispatcher;
    this.demand = demand;
  }

  @Override
  public void execute(Runnable command) {
    enter(command);
    try {
      Task<?> task =
          dispatcher.submit(
              demand,
              slot -> {
                command.run();
                return slot;
              });
      running.put(command, task);
      task.onEnd(outcome -> {
        running.remove(command);
        leave();
      });
    } catch (InterruptedException interrupted) {
      leave();
      Thread.currentThread().interrupt();
      throw new RejectedExecutionException("Interrupted before it was let in", interrupted);
    } catch (PoolException | TaskException refused) {
      leave();
      throw new RejectedExecutionException(refused.getMessage(), refused);
    }
  }

  private void enter(Runnable command) {
    lock.lock();
    try {
      if (shut) {
        throw new RejectedExecutionException("The executor is shut down: " + command);
      }
      inFlight++;
    } finally {
      lock.unlock();
    }
  }

  private void leave() {
    lock.lock();
    try {
      inFlight--;
      ended.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void shutdown() {
    lock.lock();
    try {
      shut = true;
      ended.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Cancels all that has not ended; what had not started is in the list, and some that had. */
  @Override
  public List<Runnable> shutdownNow() {
    shutdown();
    List<Runnable> cancelled = new ArrayList<>();
    running.forEach((command, task) -> {
      if (task.cancel()) {
        cancelled.add(command);
      }
    });
    return cancelled;
  }

  @Override
  public boolean isShutdown() {
    lock.lock();
    try {
      return shut;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean isTerminated() {
    lock.lock();
    try {
      return shut && inFlight == 0;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    long left = unit.toNanos(timeout);
    lock.lockInterruptibly();
    try {
      while (!(shut && inFlight == 0)) {
        if (left <= 0) {
          return false;
        }
        left = ended.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }
}
