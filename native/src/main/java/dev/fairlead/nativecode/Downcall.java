package dev.fairlead.nativecode;

import java.lang.foreign.MemorySegment;

/**
 * A call of a native function through its method handle. Calls that may block belong on the
 * device's own platform threads: they hold whatever thread they are made on.
 */
public final class Downcall {
  private Downcall() {}

  /** A call that answers a number, mostly an error code. */
  @FunctionalInterface
  public interface ToInt {
    int call() throws Throwable;
  }

  /** A call that answers a handle, or another number of 64 bits. */
  @FunctionalInterface
  public interface ToLong {
    long call() throws Throwable;
  }

  /** A call that answers a pointer. */
  @FunctionalInterface
  public interface ToPointer {
    MemorySegment call() throws Throwable;
  }

  public static int number(ToInt function) {
    try {
      return function.call();
    } catch (Throwable failure) {
      throw unchecked(failure);
    }
  }

  public static long handle(ToLong function) {
    try {
      return function.call();
    } catch (Throwable failure) {
      throw unchecked(failure);
    }
  }

  public static MemorySegment pointer(ToPointer function) {
    try {
      return function.call();
    } catch (Throwable failure) {
      throw unchecked(failure);
    }
  }

  /** A native function throws nothing: what comes out is a mistake on this side of the call. */
  private static RuntimeException unchecked(Throwable failure) {
    if (failure instanceof RuntimeException mistake) {
      return mistake;
    }
    if (failure instanceof Error error) {
      throw error;
    }
    return new IllegalStateException("A native function cannot throw", failure);
  }
}
