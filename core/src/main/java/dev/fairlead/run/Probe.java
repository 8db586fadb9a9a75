package dev.fairlead.run;

import org.jspecify.annotations.Nullable;

/**
 * A probe of a device that runs, or was given up and may still come back. Whatever context it is
 * inside of then belongs to it: no other thread closes that.
 */
public final class Probe {
  private final long since;

  // Guarded by this.
  private @Nullable OpenContext inside;
  private boolean back;

  public Probe(long since) {
    this.since = since;
  }

  public long since() {
    return since;
  }

  /** It is given up inside of a context; whether it has come out since. */
  synchronized boolean leave(OpenContext context) {
    inside = context;
    return back;
  }

  /** It comes back after it was given up; answers the context that it was left in, if any. */
  public synchronized @Nullable OpenContext comeBack() {
    back = true;
    return inside;
  }
}
