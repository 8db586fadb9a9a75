package dev.fairlead.media.supervise;

import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Report;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.LongFunction;

/** A worker as its parent sees it: it answers commands, and can end at any moment. */
public interface Worker extends AutoCloseable {
  /**
   * Asks for something and waits for the answer.
   *
   * @param patience how long to wait after the last sign of progress
   * @throws WorkerProcess.FailedException if the answer is a failure, or the worker ends
   * @throws TimeoutException if neither comes in time; the worker is not to be trusted any more
   */
  Report.Answer ask(LongFunction<Command> command, Duration patience)
      throws InterruptedException, TimeoutException;

  /** Tells the worker something; if it is gone, whoever waits for it hears of that elsewhere. */
  void tell(Command command);

  /** Ends it, whatever it is doing. */
  void kill();

  @Override
  void close();
}
