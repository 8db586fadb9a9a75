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

  private static final ThreadLocal<Deque<String>> HEARD = ThreadLocal.withInitial(ArrayDeque::new);

  /** The library keeps no reference that the garbage collector would see. */
  private static final Listener LISTENER = new Listener();

  private ErrorLog() {}

  private static final class Listener extends LogCallback {
    @Override
    public void call(int level, BytePointer line) {
      Deque<String> heard = HEARD.get();
      String text = plain(line.getString());
      if (!text.isEmpty()) {
        heard.addLast(text);
        if (heard.size() > LINES) {
          heard.removeFirst();
        }
      }
    }
  }

  /** Has errors told here; nothing goes to the screen. */
  static void install() {
    avutil.setLogCallback(LISTENER);
    avutil.av_log_set_level(avutil.AV_LOG_ERROR);
  }

  /** Forgets what this thread has heard: what comes now belongs to what it does next. */
  static void forget() {
    HEARD.get().clear();
  }

  /** What this thread has heard since, for a message; empty if that is nothing. */
  static String heard() {
    Deque<String> heard = HEARD.get();
    return heard.isEmpty()
        ? ""
        : heard.stream().distinct().collect(Collectors.joining("; ", " (", ")"));
  }

  /** A line without addresses and without what a terminal would obey. */
  static String plain(String line) {
    String text = NO_TEXT.matcher(SPEAKER.matcher(line).replaceAll("$1: ")).replaceAll(" ").strip();
    return text.length() <= LONGEST_LINE ? text : text.substring(0, LONGEST_LINE) + "…";
  }
}
