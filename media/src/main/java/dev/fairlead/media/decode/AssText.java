package dev.fairlead.media.decode;

/** The text of a line of dialogue in the ASS format, which FFmpeg turns all subtitles into. */
final class AssText {
  private static final int FIELDS_BEFORE_TEXT = 8;

  private AssText() {}

  /** What is shown: without the fields ahead of the text, styles and drawings. */
  static String plain(String dialogue) {
    String text = afterFields(dialogue);
    StringBuilder shown = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      char here = text.charAt(at);
      int end = here == '{' ? text.indexOf('}', at) : -1;
      if (end >= 0) {
        at = end + 1;
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
