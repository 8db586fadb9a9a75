package dev.fairlead.media.job;

/** With which code {@code transcode} ends, by why it failed; a job over HTTP reports the same. */
public final class ExitCodes {
  /** An error of Fairlead's own. */
  public static final int OWN_ERROR = 1;

  private static final int USAGE = 2;
  private static final int UNREADABLE = 3;
  private static final int NO_CAPABLE_DEVICE = 4;
  private static final int GAVE_UP = 5;

  /** Files cannot be read or written. */
  public static final int STORAGE = 6;

  private static final int CANCELLED = 130;

  private ExitCodes() {}

  /** By any failure; what was not foreseen is an error of Fairlead's own. */
  public static int of(Throwable failure) {
    return switch (failure) {
      case TranscodeException known -> of(known);
      case HostException _ -> STORAGE;
      default -> OWN_ERROR;
    };
  }

  public static int of(TranscodeException failure) {
    return switch (failure) {
      case TranscodeException.BadRequest _ -> USAGE;
      case TranscodeException.Unreadable _ -> UNREADABLE;
      case TranscodeException.TooLarge large -> large.isBoundByRequest() ? USAGE : UNREADABLE;
      case TranscodeException.NoCapableDevice _ -> NO_CAPABLE_DEVICE;
      case TranscodeException.GaveUp _ -> GAVE_UP;
      case TranscodeException.Storage _ -> STORAGE;
      case TranscodeException.Cancelled _ -> CANCELLED;
    };
  }
}
