package dev.fairlead.cli;

import java.util.ArrayList;
import java.util.List;

/** A line of text with styles, whose length on a screen is known. */
final class StyledText {
  private static final String ESCAPE = "\033[";

  /** How a piece looks where a terminal has colours. */
  enum Style {
    PLAIN(""),
    BOLD("1"),
    DIM("2"),
    RED("31"),
    GREEN("32");

    private final String code;

    Style(String code) {
      this.code = code;
    }
  }

  private record Piece(Style style, String text) {}

  private final List<Piece> pieces = new ArrayList<>();

  StyledText add(String text) {
    return add(Style.PLAIN, text);
  }

  StyledText add(Style style, String text) {
    if (!text.isEmpty()) {
      pieces.add(new Piece(style, text));
    }
    return this;
  }

  int length() {
    return pieces.stream().mapToInt(piece -> piece.text.length()).sum();
  }

  /** The same text in at most so many columns. */
  StyledText cutTo(int columns) {
    if (length() <= columns) {
      return this;
    }
    StyledText cut = new StyledText();
    for (Piece piece : pieces) {
      int room = Math.max(0, columns - 1 - cut.length());
      cut.add(piece.style, piece.text.substring(0, Math.min(room, piece.text.length())));
    }
    return cut.add("~");
  }

  static String cut(String text, int columns) {
    return text.length() <= columns ? text : text.substring(0, Math.max(0, columns - 1)) + "~";
  }

  /** The beginning and the end of a text, in so many columns at most. */
  static String shortened(String text, int columns) {
    if (text.length() <= columns) {
      return text;
    }
    int end = columns / 2;
    return text.substring(0, columns - 1 - end) + "~" + text.substring(text.length() - end);
  }

  /** A sentence in lines of at most so many columns; only a word that is longer is broken. */
  static List<String> wrapped(String text, int columns) {
    List<String> lines = new ArrayList<>();
    String rest = text;
    while (rest.length() > columns) {
      int space = rest.lastIndexOf(' ', columns);
      int end = space <= 0 ? columns : space;
      lines.add(rest.substring(0, end));
      rest = rest.substring(space <= 0 ? end : end + 1);
    }
    lines.add(rest);
    return lines;
  }

  String print(boolean colours) {
    StringBuilder line = new StringBuilder();
    for (Piece piece : pieces) {
      line.append(colours ? painted(piece) : piece.text);
    }
    return line.toString();
  }

  private static String painted(Piece piece) {
    return piece.style == Style.PLAIN
        ? piece.text
        : ESCAPE + piece.style.code + "m" + piece.text + ESCAPE + "0m";
  }

  @Override
  public String toString() {
    return print(false);
  }
}
