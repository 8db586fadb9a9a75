package dev.fairlead.media.supervise;

import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Failure;
import dev.fairlead.media.wire.Report;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.LongFunction;

/**
 * A worker as its parent sees it: it answers commands, and can die at any moment. What it has not
 * answered by then fails with {@link Failure.Kind#CRASHED}.
 */
public interface Worker extends AutoCloseable {
  /** Sends a command that has no answer; a worker that is gone ignores it. */
  void send(Command command);

  /**
   * Sends a command and waits for its answer.
   *
   * @param command makes the command of the number that its answer will have
   * @param patience how long to wait after the last sign of progress
   * @throws FailedException if the answer is a failure, or the worker ends
   * @throws TimeoutException if neither comes in time; the worker is not to be trusted any more
   */
  Report.Answer ask(LongFunction<Command> command, Duration patience)
      throws InterruptedException, TimeoutException;

  /** Ends it at once, whatever it is doing. */
  void kill();

  /** Ends it in order. */
  @Override
  void close();
}
