package dev.fairlead.media.progress;

/** Ends a run of a job that goes on later: what is committed stays, all else is begun again. */
public final class Parked extends RuntimeException {
  private static final long serialVersionUID = 1;

  public Parked(String reason) {
    super(reason, null, false, false);
  }
}
