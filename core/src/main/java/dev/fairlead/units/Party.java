package dev.fairlead.units;

import dev.fairlead.device.DeviceId;
import dev.fairlead.outcome.TaskException;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Priority;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A job in a {@link UnitQueue}: units of groups of its own, and what becomes of them. A unit that
 * fails is tried again, elsewhere while another device can take it, until it has failed on as many
 * devices as the options allow; then it is condemned with all its reasons. Thread-safe.
 */
public final class Party implements AutoCloseable {
  private final UnitScheduler scheduler;
  private final CallbackThread callbacks;
  private final PartyBooks books;
  private final Runnable left;
  private boolean closed; // guarded by this

  /**
   * @param left is run when the party has left, by the thread that has waited for it
   */
  Party(UnitScheduler scheduler, CallbackThread callbacks, PartyBooks books, Runnable left) {
    this.scheduler = scheduler;
    this.callbacks = callbacks;
    this.books = books;
    this.left = left;
    scheduler.join(books);
  }

  /** As what it has joined. */
  public PartyOptions options() {
    return books.options();
  }

  /**
   * Adds a unit to those that wait; returns at once. A unit that no device of the pool can ever
   * take is condemned with their objections.
   *
   * @param order the unit's place in its job: smaller is older; units of several groups may share
   *     it
   * @param demand what a device must have for it; the affinity key is ignored, since the service
   *     policy chooses
   */
  public <R> UnitTask<R> offer(int group, long order, Demand demand, UnitWork<R> work) {
    return offer(group, order, demand, UnitInput.everywhere(), work);
  }

  /**
   * The same for a unit whose costs depend on where a device is: what it takes to bring it what it
   * reads is part of what the service policy predicts.
   */
  public <R> UnitTask<R> offer(
      int group, long order, Demand demand, UnitInput input, UnitWork<R> work) {
    UnitTask<R> unit =
        new UnitTask<>(
            books.number(),
            checked(group),
            order,
            Objects.requireNonNull(demand, "demand is null"),
            Objects.requireNonNull(input, "input is null"),
            Objects.requireNonNull(work, "work is null"));
    synchronized (this) {
      if (closed) {
        throw new TaskException.ServiceClosed();
      }
      scheduler.offer(books, unit);
    }
    return unit;
  }

  /**
   * Says whether all is there that the units of an order read, also those that are offered later.
   * It is taken to be unless this says otherwise: a device takes a unit that reads what is still in
   * the making only if no other waits for it.
   */
  public void whole(long order, boolean value) {
    scheduler.whole(books, order, value);
  }

  /**
   * Keeps a device away from a group from now on. What runs there goes on, and is done elsewhere if
   * it throws {@link UnfitForGroup}. When no device is left that could take them, the units of the
   * group that wait end with {@link TaskException.GroupStruckOff}, so that they can be offered
   * again on other conditions.
   */
  public void strikeOff(int group, DeviceId device, String reason) {
    scheduler.strike(
        books,
        checked(group),
        Objects.requireNonNull(device, "device is null"),
        Objects.requireNonNull(reason, "reason is null"));
  }

  /** Lets all devices serve the group again. */
  public void readmit(int group) {
    scheduler.readmit(books, checked(group));
  }

  private int checked(int group) {
    return Objects.checkIndex(group, books.options().groups());
  }

  /** Changes how urgent the job is among those of its tenant. */
  public void priority(Priority value) {
    scheduler.priority(books, Objects.requireNonNull(value, "value is null"));
  }

  /**
   * From now on no unit of this party starts, also not as a clone; what runs goes on to its end.
   * Units may be offered meanwhile.
   *
   * @return ends when nothing of it runs any more, or when it {@linkplain #goOn goes on} before
   */
  public CompletionStage<Void> park() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    CompletableFuture<Void> _ = books.left().thenRun(() -> done.complete(null));
    scheduler.park(books, done);
    return done;
  }

  /** Ends {@link #park}. */
  public void goOn() {
    scheduler.goOn(books);
  }

  /** What has been done so far. */
  public ServiceReport report() {
    return books.counters().report();
  }

  /** Whether the scheduler sleeps until an errand comes; for tests. */
  boolean sleeps() {
    return scheduler.sleeps();
  }

  /** Ends when it has left and all has been reported. */
  CompletableFuture<Void> whenLeft() {
    return books.left();
  }

  /** Takes no more units. */
  synchronized void shut() {
    closed = true;
  }

  /**
   * Leaves when every unit has ended and been reported, and waits for that; what a parked party has
   * waiting is cancelled. From a listener or a callback of the queue it does not wait.
   */
  @Override
  public void close() {
    leave(false);
  }

  /** Cancels every unit, and waits until the devices have let go of them. */
  public void cancelAndClose() {
    leave(true);
  }

  private void leave(boolean cancels) {
    synchronized (this) {
      closed = true;
      if (!books.left().isDone()) {
        scheduler.leave(books, cancels);
      }
    }
    if (!callbacks.isCurrent()) {
      books.left().join();
    }
    left.run();
  }
}
