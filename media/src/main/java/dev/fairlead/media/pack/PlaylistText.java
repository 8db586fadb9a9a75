package dev.fairlead.media.pack;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Makes text from untrusted files safe to stand in a playlist (RFC 8216, section 4.2). */
final class PlaylistText {
  private static final int LONGEST = 120;
  private static final String UNRESERVED = "-._~/";

  /** Codes that are made of the language's name in English, as many files still have them. */
  private static final String OLDER =
      "alb=sq arm=hy baq=eu bur=my chi=zh cze=cs dut=nl fre=fr geo=ka ger=de gre=el ice=is mac=mk"
          + " mao=mi may=ms per=fa rum=ro slo=sk tib=bo wel=cy";

  private static final Map<String, String> SHORTEST = shortest();

  private PlaylistText() {}

  /**
   * On one line, without quotation marks or control characters; {@code otherwise} if nothing is
   * left.
   */
  static String name(String text, String otherwise) {
    StringBuilder out = new StringBuilder();
    text.codePoints()
        .limit(4L * LONGEST)
        .map(point -> isSafe(point) ? point : ' ')
        .map(point -> point == '"' ? '\'' : point)
        .forEach(out::appendCodePoint);
    String oneLine = out.toString().strip().replaceAll("\\s+", " ");
    int points = Math.min(LONGEST, oneLine.codePointCount(0, oneLine.length()));
    String cut = oneLine.substring(0, oneLine.offsetByCodePoints(0, points)).strip();
    return cut.isEmpty() ? otherwise : cut;
  }

  /** A language tag in its shortest form (RFC 5646), or nothing if {@code text} is none. */
  static String language(String text) {
    String tag = text.strip().replace('_', '-');
    boolean known = tag.matches("[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,8}");
    int end = tag.indexOf('-') < 0 ? tag.length() : tag.indexOf('-');
    String first = tag.substring(0, end).toLowerCase(Locale.ROOT);
    return known && !first.equals("und")
        ? SHORTEST.getOrDefault(first, first) + tag.substring(end)
        : "";
  }

  /** Codes of two letters by those of three that files have, of either kind (ISO 639-2). */
  private static Map<String, String> shortest() {
    Map<String, String> codes = new HashMap<>();
    for (String two : Locale.getISOLanguages()) {
      codes.putIfAbsent(Locale.of(two).getISO3Language(), two);
    }
    for (String pair : OLDER.split(" ", -1)) {
      codes.put(pair.substring(0, 3), pair.substring(4));
    }
    return Map.copyOf(codes);
  }

  /** A relative address; whatever is not plain is escaped. */
  static String uri(String path) {
    StringBuilder out = new StringBuilder();
    for (byte value : path.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (value & 0xff);
      boolean plain = c < 0x80 && (Character.isLetterOrDigit(c) || UNRESERVED.indexOf(c) >= 0);
      out.append(plain ? String.valueOf(c) : "%%%02X".formatted((int) c));
    }
    return out.toString();
  }

  private static boolean isSafe(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
