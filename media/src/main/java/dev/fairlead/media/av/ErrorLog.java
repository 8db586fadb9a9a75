package dev.fairlead.media.av;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.bytedeco.ffmpeg.avutil.LogCallback;
import org.bytedeco.ffmpeg.global.avutil;
import org.bytedeco.javacpp.BytePointer;

/**
 * The last errors that FFmpeg has written to its log, by thread. Its codes say little of devices: a
 * driver that is missing is "Operation not permitted"; what was missing is only in the log.
 */
final class ErrorLog {
  private static final int LINES = 3;
  private static final int LONGEST_LINE = 200;

  /** Who says it, and where that lies in memory. */
  private static final Pattern SPEAKER = Pattern.compile("\\[([^\\]@]*) @ 0x[0-9a-f]+\\] ?");

  private static final Pattern NO_TEXT = Pattern.compile("[\\p{Cntrl}\\s]+");

  private static final ThreadLocal<Deque<String>> LOGGED = ThreadLocal.withInitial(ArrayDeque::new);

  /** The library keeps no reference that the garbage collector would see. */
  private static final Listener LISTENER = new Listener();

  private ErrorLog() {}

  private static final class Listener extends LogCallback {
    @Override
    public void call(int level, BytePointer line) {
      Deque<String> logged = LOGGED.get();
      String text = plain(line.getString());
      if (!text.isEmpty()) {
        logged.addLast(text);
        if (logged.size() > LINES) {
          logged.removeFirst();
        }
      }
    }
  }

  /** Has errors logged here; nothing goes to the screen. */
  static void install() {
    avutil.setLogCallback(LISTENER);
    avutil.av_log_set_level(avutil.AV_LOG_ERROR);
  }

  /** Drops the errors of this thread: those that come now belong to what it does next. */
  static void forget() {
    LOGGED.get().clear();
  }

  /** The errors of this thread since then, for a message; empty if there are none. */
  static String recent() {
    Deque<String> logged = LOGGED.get();
    return logged.isEmpty()
        ? ""
        : logged.stream().distinct().collect(Collectors.joining("; ", " (", ")"));
  }

  /** A line without addresses and without what a terminal would obey. */
  static String plain(String line) {
    String text = NO_TEXT.matcher(SPEAKER.matcher(line).replaceAll("$1: ")).replaceAll(" ").strip();
    return text.length() <= LONGEST_LINE ? text : text.substring(0, LONGEST_LINE) + "…";
  }
}
