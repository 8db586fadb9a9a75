package dev.fairlead.service.client;

/** Takes note of how far a transfer is. */
@FunctionalInterface
public interface Moved {
  /**
   * So much is there now.
   *
   * @param of all there is
   */
  void bytes(long now, long of);
}
