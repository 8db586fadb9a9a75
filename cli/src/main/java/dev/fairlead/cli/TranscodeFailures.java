package dev.fairlead.cli;

import dev.fairlead.media.job.ExitCodes;
import dev.fairlead.media.job.Remedy;
import dev.fairlead.media.job.TranscodeException;

/**
 * What the commands make of a transcode that failed: an exit code, and words with their options.
 */
final class TranscodeFailures {
  static final int STORAGE = ExitCodes.STORAGE;

  private TranscodeFailures() {}

  static int exitCode(TranscodeException failure) {
    return ExitCodes.of(failure);
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
