package dev.fairlead.pool;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting for what must come, with a deadline that only a failure reaches. */
public final class Eventually {
  static final Duration PATIENCE = Duration.ofSeconds(Integer.getInteger("fairlead.patience", 20));

  /**
   * The verdict is known after one wait in vain: further ones must not make it take minutes. Longer
   * than the grace of a testing pool, since a thread that a test has left behind may be the one
   * that has waited in vain.
   */
  private static final Duration PATIENCE_AFTERWARDS = PATIENCE.dividedBy(2);

  private static final AtomicInteger IN_VAIN = new AtomicInteger();

  /** Shown with later ones: it may have been on a thread whose failure nobody sees. */
  private static final AtomicReference<String> FIRST_IN_VAIN = new AtomicReference<>("");

  private Eventually() {}

  /** How many waits were in vain so far, in all tests. */
  static int inVain() {
    return IN_VAIN.get();
  }

  private static Duration patience() {
    return inVain() == 0 ? PATIENCE : PATIENCE_AFTERWARDS;
  }

  private static AssertionError inVain(String what) {
    String mine = what + " at " + whoWaits() + " on " + Thread.currentThread().getName();
    String first = FIRST_IN_VAIN.compareAndExchange("", mine);
    String before = first.isEmpty() ? "" : "\nThe first wait in vain was another: " + first;
    AssertionError failure = new AssertionError(what + before + "\n" + stacks());
    IN_VAIN.incrementAndGet();
    return failure;
  }

  private static String whoWaits() {
    return StackWalker.getInstance()
        .walk(frames ->
            frames
                .filter(frame -> !frame.getClassName().startsWith(Eventually.class.getName()))
                .findFirst()
                .map(StackWalker.StackFrame::toString)
                .orElse("nowhere"));
  }

  public static void until(String what, BooleanSupplier condition) {
    Duration patience = patience();
    long end = System.nanoTime() + patience.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw inVain("Did not come about in " + patience + ": " + what);
      }
      LockSupport.parkNanos(100_000);
    }
  }

  /** Whether the thread is in a method of that name, or in something that the method calls. */
  static boolean isIn(Thread thread, String method) {
    return Arrays.stream(thread.getStackTrace())
        .anyMatch(frame -> frame.getMethodName().equals(method));
  }

  public static void open(CountDownLatch latch) {
    Duration patience = patience();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          if (!latch.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            throw inVain("A latch did not open in " + patience);
          }
          return;
        } catch (InterruptedException again) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Starts on a thread of its own; {@link Started#result} waits for it. */
  public static <T> Started<T> start(Callable<T> body) {
    CompletableFuture<T> future = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name("test helper")
            .start(() -> {
              try {
                future.complete(body.call());
              } catch (Throwable failure) {
                future.completeExceptionally(failure);
              }
            });
    return new Started<>(thread, future);
  }

  /** Closes something on a thread of its own. */
  public static Started<Boolean> close(AutoCloseable what) {
    return start(() -> {
      what.close();
      return true;
    });
  }

  /** Something that runs beside the test. */
  public record Started<T>(Thread thread, CompletableFuture<T> future) {
    /** Its result, or what it threw as it was thrown. */
    public T result() throws Exception {
      return result(patience());
    }

    /** The same of something that has much to do. */
    public T result(Duration patience) throws Exception {
      try {
        return future.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      } catch (ExecutionException failed) {
        if (failed.getCause() instanceof Exception checked) {
          throw checked;
        }
        if (failed.getCause() instanceof Error error) {
          throw error;
        }
        throw failed;
      } catch (TimeoutException late) {
        AssertionError hung = inVain("Hangs for " + patience);
        hung.initCause(late);
        hung.setStackTrace(thread.getStackTrace());
        throw hung;
      }
    }

    /** Waits until its thread is parked or blocked: it has come to where it waits. */
    public void isWaiting() {
      until(
          "a helper waits",
          () ->
              thread.getState() == Thread.State.WAITING
                  || thread.getState() == Thread.State.TIMED_WAITING);
    }
  }

  /** Names of live threads that Fairlead has started. */
  public static List<String> fairleadThreads() {
    return liveThreads().stream().map(Thread::getName).sorted().toList();
  }

  static List<Thread> liveThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Thread::isAlive)
        .filter(thread -> thread.getName().startsWith("fairlead "))
        .toList();
  }

  private static String stacks() {
    StringBuilder text = new StringBuilder();
    Thread.getAllStackTraces()
        .forEach((thread, stack) -> {
          if (thread.getName().startsWith("fairlead ") || thread.getName().equals("test helper")) {
            text.append(thread.getName()).append(' ').append(thread.getState()).append('\n');
            for (StackTraceElement each : stack) {
              text.append("    ").append(each).append('\n');
            }
          }
        });
    return text.toString();
  }
}
