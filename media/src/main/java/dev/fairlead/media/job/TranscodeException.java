package dev.fairlead.media.job;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Why a transcode did not come to its end. Its kinds are all the reasons that there are. */
public abstract sealed class TranscodeException extends RuntimeException {
  private final String what;
  private final @Nullable Remedy remedy;

  private TranscodeException(String what, @Nullable Remedy remedy, @Nullable Throwable cause) {
    super(remedy == null ? what : what + remedy, cause);
    this.what = what;
    this.remedy = remedy;
  }

  /** What happened: the message without the remedy. */
  public String what() {
    return what;
  }

  /** What a caller can do about it, where that is known. */
  public Optional<Remedy> remedy() {
    return Optional.ofNullable(remedy);
  }

  /** What was asked makes no sense, or does not fit what is there. */
  public static final class BadRequest extends TranscodeException {
    public BadRequest(String what) {
      super(what, null, null);
    }

    public BadRequest(String what, Remedy remedy) {
      super(what, remedy, null);
    }
  }

  /** The source cannot be read, or holds nothing to encode. */
  public static final class Unreadable extends TranscodeException {
    public Unreadable(String what) {
      super(what, null, null);
    }

    public Unreadable(String what, Remedy remedy) {
      super(what, remedy, null);
    }
  }

  /** The source does not fit into the memory that may be used. */
  public static final class TooLarge extends TranscodeException {
    private final boolean boundByRequest;

    /**
     * A source that does not fit.
     *
     * @param boundByRequest whether the request says how much may be used
     */
    public TooLarge(String what, boolean boundByRequest) {
      super(what, boundByRequest ? Remedy.RAISE_MEMORY : Remedy.SET_MEMORY, null);
      this.boundByRequest = boundByRequest;
    }

    /** Whether the request says how much may be used; otherwise the source is to blame. */
    public boolean isBoundByRequest() {
      return boundByRequest;
    }
  }

  /** No device can encode what was asked for. */
  public static final class NoCapableDevice extends TranscodeException {
    public NoCapableDevice(String what) {
      super(what, null, null);
    }

    public NoCapableDevice(String what, Remedy remedy) {
      super(what, remedy, null);
    }
  }

  /** A piece of work failed wherever it was tried. */
  public static final class GaveUp extends TranscodeException {
    public GaveUp(String what, Throwable cause) {
      super(what, null, cause);
    }

    public GaveUp(String what) {
      super(what, null, null);
    }
  }

  /** The disk is full, or files cannot be written. */
  public static final class Storage extends TranscodeException {
    public Storage(String what, Throwable cause) {
      super(what, null, cause);
    }

    public Storage(String what, Remedy remedy, Throwable cause) {
      super(what, remedy, cause);
    }

    public Storage(String what, Remedy remedy) {
      super(what, remedy, null);
    }
  }

  /** The transcode was cancelled; the same request goes on where it stopped. */
  public static final class Cancelled extends TranscodeException {
    public Cancelled() {
      super("Cancelled", Remedy.SAME_REQUEST, null);
    }
  }
}
