package dev.fairlead.units;

import java.util.Objects;

/**
 * How a unit queue behaves.
 *
 * @param tries on how many devices a unit may fail before it is condemned; where fewer devices
 *     serve, how often in all
 * @param clones whether idle devices take a second copy of a unit that they would finish sooner
 * @param listener takes every event
 */
public record ServiceOptions(int tries, boolean clones, UnitListener listener) {
  private static final int USUAL_TRIES = 3;

  public ServiceOptions {
    if (tries < 1) {
      throw new IllegalArgumentException("tries is less than one: " + tries);
    }
    Objects.requireNonNull(listener, "listener is null");
  }

  /** Three tries, no clones. */
  public static ServiceOptions usual() {
    return new ServiceOptions(USUAL_TRIES, false, UnitListener.none());
  }

  public ServiceOptions withTries(int count) {
    return new ServiceOptions(count, clones, listener);
  }

  public ServiceOptions withClones() {
    return new ServiceOptions(tries, true, listener);
  }

  public ServiceOptions withListener(UnitListener value) {
    return new ServiceOptions(tries, clones, value);
  }
}
