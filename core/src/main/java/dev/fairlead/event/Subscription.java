package dev.fairlead.event;

/** A listener's subscription to what happens in a pool; see {@code DevicePool.subscribe}. */
@FunctionalInterface
public interface Subscription extends AutoCloseable {
  /**
   * Ends the subscription: what the listener has not been told yet it is not told any more. A call
   * that the listener is in at this moment is not waited for. Closing it again has no effect.
   */
  @Override
  void close();
}
