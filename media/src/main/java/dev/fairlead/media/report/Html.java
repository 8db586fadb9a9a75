package dev.fairlead.media.report;

import java.util.Locale;

/** Pieces of HTML. */
public final class Html {
  private Html() {}

  /** Text as content or as the value of an attribute. */
  public static String escape(String text) {
    StringBuilder safe = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> safe.append("&amp;");
        case '<' -> safe.append("&lt;");
        case '>' -> safe.append("&gt;");
        case '"' -> safe.append("&quot;");
        case '\'' -> safe.append("&#39;");
        default -> safe.append(Character.isISOControl(c) ? ' ' : c);
      }
    }
    return safe.toString();
  }

  /** Like {@link String#formatted}, in the notation of machines; strings are taken as they are. */
  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency of its own
  public static String format(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }
}
