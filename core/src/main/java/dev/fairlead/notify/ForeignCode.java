package dev.fairlead.notify;

/** How code that is not the pool's is called where no thread waits for it: listeners, callbacks. */
public final class ForeignCode {
  private ForeignCode() {}

  /** Calls foreign code that no thread waits for: what it throws is reported and harms nothing. */
  public static void quietly(Runnable foreign) {
    try {
      foreign.run();
    } catch (Throwable failure) {
      report(failure);
    }
  }

  /** Gives a failure to the thread's handler; one that throws itself cannot be helped. */
  @SuppressWarnings("EmptyCatch")
  public static void report(Throwable failure) {
    try {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
    } catch (Throwable hopeless) {
      // The thread goes on: devices must not be lost over what happens to a report.
    }
  }
}
