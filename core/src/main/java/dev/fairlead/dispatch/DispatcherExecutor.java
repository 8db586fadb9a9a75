package dev.fairlead.dispatch;

import dev.fairlead.device.Slot;
import dev.fairlead.lease.PoolException;
import dev.fairlead.outcome.TaskException;
import dev.fairlead.policy.Demand;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A dispatcher as an executor: what is executed is placed by one demand. */
final class DispatcherExecutor extends AbstractExecutorService {
  private final Dispatcher dispatcher;
  private final Demand demand;
  private final Map<Execution, Task<?>> running = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private int inFlight;
  private boolean shut;

  DispatcherExecutor(Dispatcher dispatcher, Demand demand) {
    this.dispatcher = dispatcher;
    this.demand = demand;
  }

  /** A command on its way: it is over when it has returned, or will never start. */
  private final class Execution {
    private final Runnable command;
    private final AtomicBoolean decided = new AtomicBoolean();

    Execution(Runnable command) {
      this.command = command;
    }

    Slot run(Slot slot) {
      if (decided.compareAndSet(false, true)) {
        try {
          command.run();
        } finally {
          leave(this);
        }
      }
      return slot;
    }

    /** Its task has ended: if it has not started, it does not any more, and its future says so. */
    void ended() {
      if (decided.compareAndSet(false, true)) {
        leave(this);
        if (command instanceof Future<?> future) {
          future.cancel(false);
        }
      }
    }
  }

  @Override
  public void execute(Runnable command) {
    enter(command);
    Execution execution = new Execution(command);
    try {
      Task<?> task = dispatcher.submit(demand, execution::run);
      running.put(execution, task);
      task.onEnd(outcome -> execution.ended());
      if (execution.decided.get() && task.isEnded()) {
        running.remove(execution);
      }
    } catch (InterruptedException interrupted) {
      leave(execution);
      Thread.currentThread().interrupt();
      throw new RejectedExecutionException("Interrupted before it was let in", interrupted);
    } catch (PoolException | TaskException refused) {
      leave(execution);
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

  private void leave(Execution execution) {
    running.remove(execution);
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
    running.forEach((execution, task) -> {
      if (task.cancel()) {
        cancelled.add(execution.command);
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
