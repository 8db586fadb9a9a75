package dev.fairlead.media.av;

import static org.bytedeco.ffmpeg.global.avutil.AVERROR_EOF;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.bytedeco.ffmpeg.global.avutil;

/** What FFmpeg answered when it did not do what it was asked. */
public final class AvException extends RuntimeException {
  /** NV_ENC_ERR_OUT_OF_MEMORY or NV_ENC_ERR_INCOMPATIBLE_CLIENT_KEY. */
  private static final Pattern NO_SESSION =
      Pattern.compile("OpenEncodeSessionEx failed:[^;]*\\((?:10|21)\\)");

  private static final int ENOMEM = 12;
  private static final int EAGAIN = 11;

  private final int code;

  AvException(String what, int code) {
    this(what, code, "");
  }

  private AvException(String what, int code, String logged) {
    super("%s: %s%s".formatted(what, text(code), logged));
    this.code = code;
  }

  /** A failure that FFmpeg has no code for. */
  public AvException(String what) {
    super(what);
    this.code = 0;
  }

  /**
   * Whether a driver has no session left for one more encoder. That is only in the log: drivers
   * answer that there is no memory, or that the client has no licence for more, and FFmpeg passes
   * on neither.
   */
  public boolean isBusy() {
    return NO_SESSION.matcher(String.valueOf(getMessage())).find();
  }

  public boolean isOutOfMemory() {
    return isOutOfMemory(code);
  }

  static boolean isOutOfMemory(int code) {
    return code == -ENOMEM;
  }

  /** Passes on what is not negative; throws what is. */
  public static int check(String what, int code) {
    if (code < 0) {
      throw new AvException(what, code);
    }
    return code;
  }

  /** The same for what a device does: with what FFmpeg has logged about it on this thread. */
  static int checkDevice(String what, int code) {
    if (code < 0) {
      throw new AvException(what, code, ErrorLog.recent());
    }
    return code;
  }

  /**
   * The same for a copy from or to a device, which FFmpeg answers that it went well whatever the
   * driver says; only the log has that.
   */
  static void checkCopy(String what, int code) {
    checkDevice(what, code);
    String logged = ErrorLog.recent();
    if (!logged.isEmpty()) {
      throw new AvException(what + " failed" + logged);
    }
  }

  /** The same where "not now" and "no more" are answers too; false for these. */
  static boolean checkMore(String what, int code) {
    if (isLater(code)) {
      return false;
    }
    check(what, code);
    return true;
  }

  /** The same for what a device does. */
  static boolean checkMoreOfDevice(String what, int code) {
    if (isLater(code)) {
      return false;
    }
    checkDevice(what, code);
    return true;
  }

  private static boolean isLater(int code) {
    return code == -EAGAIN || code == AVERROR_EOF();
  }

  private static String text(int code) {
    byte[] buffer = new byte[avutil.AV_ERROR_MAX_STRING_SIZE];
    avutil.av_strerror(code, buffer, buffer.length);
    int end = 0;
    while (end < buffer.length && buffer[end] != 0) {
      end++;
    }
    return new String(buffer, 0, end, StandardCharsets.UTF_8);
  }
}
