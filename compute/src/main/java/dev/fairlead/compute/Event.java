package dev.fairlead.compute;

import dev.fairlead.compute.driver.ComputeDriver;
import dev.fairlead.compute.driver.ComputeException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A point in a stream: it has come when all commands before it have ended on the device. */
public final class Event extends DriverResource {
  private final Stream stream;
  private final long command;
  private @Nullable CompletableFuture<Void> completion;

  Event(Stream stream, long handle, long command) {
    super(stream.session(), handle);
    this.stream = stream;
    this.command = command;
  }

  /** Whether it has come. */
  public boolean isDone() {
    boolean done = session().ask(List.of(this), driver -> driver.isDone(rawHandle()));
    if (done) {
      stream.ended(command);
    }
    return done;
  }

  /** Waits for it on one of the device's own threads; throws what went wrong before it. */
  public void await() {
    hold();
    try {
      awaitHeld();
    } finally {
      letGo();
    }
  }

  /** The same for whoever holds it, though it may have been closed since. */
  void awaitHeld() {
    session()
        .ask(driver -> {
          driver.await(rawHandle());
          return true;
        });
    stream.ended(command);
  }

  /**
   * Completes when the event comes, or fails with what went wrong, without holding a thread of the
   * caller: {@code lease.endWith(event.completion())}. What follows runs on a thread of the device.
   *
   * <p>If the context is poisoned before the event comes, this fails with the very failure that
   * poisoned it, whether it was asked for before or after that, and never with {@link
   * ComputeException.Poisoned}: that is for calls that are refused, while this was accepted and is
   * lost, and whoever waits for it needs to know by what.
   */
  public synchronized CompletionStage<Void> completion() {
    CompletableFuture<Void> known = completion;
    if (known == null) {
      hold();
      known = new CompletableFuture<>();
      completion = known;
      if (!stream.watch(this)) {
        known.completeExceptionally(Objects.requireNonNull(session().poison()));
        letGo();
      }
    }
    return known;
  }

  /** The device's own time between an earlier event and this one, both of which have come. */
  public Duration since(Event earlier) {
    long nanos =
        session()
            .ask(
                List.of(earlier, this),
                driver -> driver.nanosBetween(earlier.rawHandle(), rawHandle()));
    return Duration.ofNanos(nanos);
  }

  synchronized CompletableFuture<Void> watched() {
    return Objects.requireNonNull(completion);
  }

  @Override
  void release(ComputeDriver driver) {
    driver.releaseEvent(rawHandle());
  }

  @Override
  String what() {
    return "An event";
  }
}
