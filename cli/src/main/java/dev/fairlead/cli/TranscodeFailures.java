package dev.fairlead.cli;

import dev.fairlead.media.job.Remedy;
import dev.fairlead.media.job.TranscodeException;
import picocli.CommandLine.ExitCode;

/**
 * What the commands make of a transcode that failed: an exit code, and words with their options.
 */
final class TranscodeFailures {
  private static final int UNREADABLE = 3;
  private static final int NO_CAPABLE_DEVICE = 4;
  private static final int GAVE_UP = 5;
  static final int STORAGE = 6;
  private static final int CANCELLED = 130;

  private TranscodeFailures() {}

  static int exitCode(TranscodeException failure) {
    return switch (failure) {
      case TranscodeException.BadRequest _ -> ExitCode.USAGE;
      case TranscodeException.Unreadable _ -> UNREADABLE;
      case TranscodeException.TooLarge large ->
          large.isBoundByRequest() ? ExitCode.USAGE : UNREADABLE;
      case TranscodeException.NoCapableDevice _ -> NO_CAPABLE_DEVICE;
      case TranscodeException.GaveUp _ -> GAVE_UP;
      case TranscodeException.Storage _ -> STORAGE;
      case TranscodeException.Cancelled _ -> CANCELLED;
    };
  }

  /** What happened, and by which option that can be helped. */
  static String message(TranscodeException failure) {
    return failure.what() + failure.remedy().map(TranscodeFailures::words).orElse("");
  }

  private static String words(Remedy remedy) {
    String less = ", or choose smaller rungs (--ladder) or fewer frames a second (--max-fps)";
    return switch (remedy) {
      case SAME_REQUEST -> "; the same command goes on from here";
      case RESTART -> "; --restart begins again";
      case OTHER_OUTPUT -> ". Choose another output, or --restart";
      case RAISE_MEMORY -> "; raise --memory" + less;
      case SET_MEMORY -> "; allow more by --memory" + less;
      case OTHER_CODEC -> ". Choose another --codec or other --devices";
    };
  }
}
