package dev.fairlead.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns Ctrl-C into a cancellation for as long as it is open. The JVM ends when this is closed, or
 * after two seconds whatever happens; what is on disk by then is what the next run goes on from.
 */
final class CtrlC implements AutoCloseable {
  static final int EXIT_CODE = 130;
  private static final Duration TO_END = Duration.ofMillis(1_700);

  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread hook;

  private CtrlC(Runnable cancel) {
    this.hook =
        Thread.ofPlatform()
            .name("cancel")
            .unstarted(() -> {
              cancel.run();
              try {
                if (!ended.await(TO_END.toMillis(), TimeUnit.MILLISECONDS)) {
                  Runtime.getRuntime().halt(EXIT_CODE);
                }
              } catch (InterruptedException hurry) {
                Thread.currentThread().interrupt();
              }
            });
  }

  static CtrlC cancels(Runnable cancel) {
    CtrlC open = new CtrlC(cancel);
    Runtime.getRuntime().addShutdownHook(open.hook);
    return open;
  }

  @Override
  public void close() {
    ended.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      // The hook runs already, and now comes to its end.
    }
  }
}
