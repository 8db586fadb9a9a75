package dev.fairlead.device;

import java.util.Optional;

/**
 * What a backend keeps open for one device. The pool opens it, binds it on each of the device's
 * threads, samples and probes it, and closes it; after a poisoning fault it opens another one under
 * a new generation. All methods are called on the device's own threads, but for {@link #sample},
 * and for {@link #bindGuest} and {@link #unbind}, which are called on threads of callers.
 */
public interface DeviceContext extends AutoCloseable {

  /** What a device reports of itself. Streams are those that others run on it. */
  record Sample(long freeBytes, int foreignStreams) {
    public Sample {
      if (freeBytes < 0 || foreignStreams < 0) {
        throw new IllegalArgumentException(
            "A sample is not negative: %d bytes free, %d streams"
                .formatted(freeBytes, foreignStreams));
      }
    }
  }

  /**
   * A substitute for a context that has not been opened: reports what is known of a device without
   * one.
   */
  interface Unopened extends DeviceContext {
    @Override
    default <C extends DeviceContext> C as(Class<C> type, Device device) {
      throw new IllegalStateException(
          "No context is open on %s for this work: its demand says that it uses none"
              .formatted(device));
    }

    @Override
    default void close() {}
  }

  /** A context with nothing behind it: for devices that need none. */
  static DeviceContext none() {
    return () -> {};
  }

  /** Called on each of the device's threads before its first work there. */
  default void bind() {}

  /**
   * Called on a caller's own thread that is to use the context for a while, perhaps inside of a
   * scope of another context; {@link #unbind} follows on the same thread.
   */
  default void bindGuest() {
    bind();
  }

  /**
   * Undoes the last {@link #bindGuest} of the current thread, and restores what was there before.
   */
  default void unbind() {}

  /** This context as the backend's own type. */
  default <C extends DeviceContext> C as(Class<C> type, Device device) {
    if (!type.isInstance(this)) {
      throw new IllegalStateException(
          "The context of %s is a %s, not a %s: ask for a device of the right kind"
              .formatted(device, getClass().getSimpleName(), type.getSimpleName()));
    }
    return type.cast(this);
  }

  /** Runs work on the current thread; a context may wrap it, to pace it or to check it. */
  default <R, X extends Exception> R execute(DeviceWork<R, X> work, Slot slot) throws X {
    return work.run(slot);
  }

  /** Free memory and foreign streams, or empty where the device does not report them. May block. */
  default Optional<Sample> sample() {
    return Optional.empty();
  }

  /** Some small real work that shows whether the device serves; throws if it does not. */
  default void probe() {}

  /** Whose fault a failure on this device is. */
  default Fault classify(Throwable failure) {
    return Fault.of(failure);
  }

  @Override
  void close();
}
