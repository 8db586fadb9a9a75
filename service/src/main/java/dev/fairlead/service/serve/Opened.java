package dev.fairlead.service.serve;

import java.util.ArrayDeque;
import java.util.Deque;

/** What is to be closed together, the last that was opened first; whatever one of them throws. */
final class Opened implements AutoCloseable {
  private final Deque<Runnable> closings = new ArrayDeque<>();

  void add(Runnable closing) {
    closings.push(closing);
  }

  @Override
  public void close() {
    RuntimeException first = null;
    while (!closings.isEmpty()) {
      try {
        closings.pop().run();
      } catch (RuntimeException failure) {
        if (first == null) {
          first = failure;
        } else {
          first.addSuppressed(failure);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
