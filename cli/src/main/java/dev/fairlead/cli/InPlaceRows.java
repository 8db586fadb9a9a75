package dev.fairlead.cli;

import dev.fairlead.nativecode.WindowSize;
import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The last rows of a terminal, drawn again and again in place; what people should know of scrolls
 * away above them.
 *
 * <p>When the window has changed its size, terminals differ in what became of the rows that were
 * drawn: some wrapped them, some moved them out of sight and bring them back later. So the window
 * is then cleared, and the last notices are printed again.
 */
final class InPlaceRows {
  private static final int KEPT_NOTICES = 100;
  private static final String ESCAPE = "\033[";

  private final PrintWriter out;
  private final boolean colours;
  private final Supplier<WindowSize> sizes;
  private final Function<WindowSize, List<StyledText>> rows;
  private final Deque<String> notices = new ArrayDeque<>();
  private WindowSize window;
  private int lines;

  /**
   * Rows of a terminal.
   *
   * @param sizes asked before each drawing
   * @param rows what there is to draw, if anything
   */
  InPlaceRows(
      PrintWriter out,
      boolean colours,
      Supplier<WindowSize> sizes,
      Function<WindowSize, List<StyledText>> rows) {
    this.out = out;
    this.colours = colours;
    this.sizes = sizes;
    this.rows = rows;
    this.window = sizes.get();
  }

  /** Prints a notice above the rows. */
  void above(String text) {
    String notice = PlainDisplay.withoutControls(text);
    if (notices.size() == KEPT_NOTICES) {
      notices.removeFirst();
    }
    notices.addLast(notice);
    if (isResized()) {
      startOver();
    } else {
      erase();
      wrapped(notice).forEach(out::println);
    }
    draw();
  }

  void draw() {
    if (isResized()) {
      startOver();
    } else {
      erase();
    }
    List<StyledText> now = rows.apply(window);
    now.forEach(row -> out.println(row.print(colours)));
    lines = now.size();
    out.flush();
  }

  /** Prints what stays, below the rows. */
  void print(String summary) {
    out.println();
    for (String line : summary.lines().toList()) {
      boolean ofTable = line.contains("  ");
      (ofTable ? List.of(line) : wrapped(line)).forEach(out::println);
    }
    out.flush();
  }

  /** No line takes the last column, as in the rows below. */
  private List<String> wrapped(String sentence) {
    return StyledText.wrapped(sentence, Math.max(1, window.columns() - 1));
  }

  private boolean isResized() {
    WindowSize before = window;
    window = sizes.get();
    return !window.equals(before);
  }

  /** Clears the window, and prints the notices again that fit above the rows. */
  private void startOver() {
    lines = 0;
    out.print(ESCAPE + "H" + ESCAPE + "J");
    int room = window.rows() - 1 - rows.apply(window).size();
    Deque<String> fitting = new ArrayDeque<>();
    for (String notice : (Iterable<String>) notices::descendingIterator) {
      List<String> its = wrapped(notice);
      room -= its.size();
      if (room < 0) {
        break;
      }
      its.reversed().forEach(fitting::addFirst);
    }
    fitting.forEach(out::println);
  }

  private void erase() {
    if (lines > 0) {
      out.print("\r" + ESCAPE + lines + "A" + ESCAPE + "J");
      lines = 0;
    }
  }
}
