package dev.fairlead.media.job;

/** Tells a listener; one that throws harms nothing, and is not silent either. */
final class GuardedListener {
  private final TranscodeListener listener;

  GuardedListener(TranscodeListener listener) {
    this.listener = listener;
  }

  synchronized void tell(TranscodeListener.Event event) {
    try {
      listener.on(event);
    } catch (RuntimeException | Error failure) {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
    }
  }
}
