package dev.fairlead.media.job;

import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.wire.Failure;
import java.nio.file.Path;

/** Why a transcode did not come to its end; each kind has an exit code of its own. */
public sealed class TranscodeException extends RuntimeException {
  private final int exitCode;

  private TranscodeException(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  private TranscodeException(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  public int exitCode() {
    return exitCode;
  }

  /** What was asked makes no sense, or does not fit what is there. */
  public static final class BadRequest extends TranscodeException {
    public BadRequest(String message) {
      super(2, message);
    }
  }

  /** The source cannot be read, or holds nothing to encode. */
  public static final class Unreadable extends TranscodeException {
    public Unreadable(String message) {
      super(3, message);
    }
  }

  /** The source does not fit into the memory that may be used. */
  public static final class TooLarge extends TranscodeException {
    private static final int ASKED = 2;
    private static final int UNASKED = 3;

    private TooLarge(int exitCode, String message) {
      super(exitCode, message);
    }

    /** Whose fault it is depends on whether the request says how much may be used. */
    public static TooLarge of(TranscodeRequest request, String what) {
      boolean asked = request.memoryBytes().isPresent();
      return new TooLarge(
          asked ? ASKED : UNASKED,
          "%s; %s, or choose smaller rungs (--ladder) or fewer frames a second (--max-fps)"
              .formatted(what, asked ? "raise --memory" : "allow more by --memory"));
    }
  }

  /** No device can encode what was asked for. */
  public static final class NoCapableDevice extends TranscodeException {
    public NoCapableDevice(String message) {
      super(4, message);
    }
  }

  /** A piece of work failed wherever it was tried. */
  public static final class GaveUp extends TranscodeException {
    public GaveUp(String message, Throwable cause) {
      super(5, message, cause);
    }

    public GaveUp(String message) {
      super(5, message);
    }
  }

  /** The disk is full, or files cannot be written. */
  public static final class Storage extends TranscodeException {
    public Storage(String message, Throwable cause) {
      super(6, message, cause);
    }

    public Storage(String message) {
      super(6, message);
    }
  }

  /** Somebody cancelled it; the same request goes on where it stopped. */
  public static final class Cancelled extends TranscodeException {
    public Cancelled() {
      super(130, "Cancelled; the same command goes on from here");
    }
  }

  /** What a failure to probe means: a source that ends every worker cannot be read. */
  public static TranscodeException ofProbe(Path input, Failure failure) {
    return failure.kind() == Failure.Kind.CRASHED
        ? new Unreadable(
            "%s ends every worker that looks into it: %s".formatted(input, failure.reason()))
        : of(failure);
  }

  /** The same of a job: what it may use decides whose fault it is that something does not fit. */
  public static TranscodeException of(TranscodeRequest request, Failure failure) {
    return failure.kind() == Failure.Kind.NO_ROOM
        ? TooLarge.of(request, failure.reason())
        : of(failure);
  }

  /** What a failure that ends the job means to whoever asked for it. */
  public static TranscodeException of(Failure failure) {
    return switch (failure.kind()) {
      case UNREADABLE, NO_ROOM -> new Unreadable(failure.reason());
      case NO_SPACE, IO -> new Storage(failure.reason());
      case CANCELLED -> new Cancelled();
      case WORK, DEVICE, BUSY, OUT_OF_MEMORY, LOST, CRASHED -> new GaveUp(failure.reason());
    };
  }
}
