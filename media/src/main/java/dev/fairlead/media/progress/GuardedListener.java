package dev.fairlead.media.progress;

import dev.fairlead.media.job.TranscodeListener;

/** Notifies a listener; one that throws harms nothing, and is not silent either. */
public final class GuardedListener {
  private final TranscodeListener listener;

  public GuardedListener(TranscodeListener listener) {
    this.listener = listener;
  }

  public synchronized void report(TranscodeListener.Event event) {
    try {
      listener.on(event);
    } catch (RuntimeException | Error failure) {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
    }
  }
}
