package dev.fairlead.media.decode;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text of a line of dialogue in the ASS format, which FFmpeg turns all subtitles into. */
final class AssText {
  private static final int FIELDS_BEFORE_TEXT = 8;

  /** What follows is a drawing, unless the scale is zero. */
  private static final Pattern DRAWING = Pattern.compile("\\\\p(\\d+)");

  private AssText() {}

  /** What is shown: without the fields ahead of the text, styles and drawings. */
  static String plain(String dialogue) {
    String text = afterFields(dialogue);
    StringBuilder shown = new StringBuilder();
    int at = 0;
    boolean drawing = false;
    while (at < text.length()) {
      char here = text.charAt(at);
      int end = here == '{' ? text.indexOf('}', at) : -1;
      if (end >= 0) {
        Matcher mode = DRAWING.matcher(text).region(at, end);
        while (mode.find()) {
          drawing = !mode.group(1).equals("0");
        }
        at = end + 1;
      } else if (drawing) {
        at++;
      } else if (here == '\\'
          && at + 1 < text.length()
          && "Nnh".indexOf(text.charAt(at + 1)) >= 0) {
        shown.append(text.charAt(at + 1) == 'h' ? ' ' : '\n');
        at += 2;
      } else {
        shown.append(here);
        at++;
      }
    }
    return shown.toString().strip();
  }

  private static String afterFields(String dialogue) {
    int at = 0;
    for (int field = 0; field < FIELDS_BEFORE_TEXT; field++) {
      int comma = dialogue.indexOf(',', at);
      if (comma < 0) {
        return dialogue;
      }
      at = comma + 1;
    }
    return dialogue.substring(at);
  }
}
