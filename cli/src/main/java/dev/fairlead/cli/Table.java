package dev.fairlead.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Rows of text under headings, as wide as they need to be. The last column is left as it is. */
final class Table {
  private final List<List<String>> rows = new ArrayList<>();
  private final String align;

  /** One letter a column: {@code <} for text, {@code >} for numbers. */
  Table(String align, String... headings) {
    this.align = align;
    rows.add(List.of(headings));
  }

  void row(String... cells) {
    rows.add(Stream.of(cells).map(PlainDisplay::withoutControls).toList());
  }

  @Override
  public String toString() {
    int columns = align.length();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        String padding = " ".repeat(widths[i] - row.get(i).length());
        boolean right = align.charAt(i) == '>';
        line.append(i == 0 ? "" : "  ").append(right ? padding : "").append(row.get(i));
        line.append(right ? "" : padding);
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
