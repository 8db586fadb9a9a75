package dev.fairlead.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Lines of a document that people are told to type, one after the other in one directory: an
 * indented block, or what stands in a sentence as {@code ./fairlead …}.
 *
 * @param where file and line, for failures
 */
record TestingShellBlock(String where, List<Line> lines) {
  private static final Pattern FENCE = Pattern.compile("^```");
  private static final Pattern SPAN = Pattern.compile("`(\\./fairlead\\s[^`]*)`");

  /** What follows after several spaces, or after a #, is said to the reader. */
  private static final Pattern REMARK = Pattern.compile("\\s{3,}\\S.*$|\\s#\\s.*$");

  private static final Pattern EXIT_CODE = Pattern.compile("exit code (\\d+)");
  private static final String INDENT = "    ";
  private static final String CONTINUED = "\\";

  /**
   * One command.
   *
   * @param exitCode what it ends with, as its remark says, 0 if that says nothing
   */
  record Line(String text, int exitCode) {
    private static Line of(String whole) {
      Matcher code = EXIT_CODE.matcher(whole);
      return new Line(
          REMARK.matcher(whole).replaceFirst("").strip(),
          code.find() ? Integer.parseInt(code.group(1)) : 0);
    }

    boolean isFairlead() {
      return text.contains("./fairlead ") && !text.contains("...");
    }

    /** What is given to the command, as it is written: options in brackets may be left out. */
    String arguments() {
      return text.substring(text.indexOf("./fairlead ") + "./fairlead ".length())
          .replaceAll("[\\[\\]]", "")
          .replaceAll("\\s+", " ");
    }
  }

  /** Those of all documents that are not history, in order. */
  static List<TestingShellBlock> all() throws IOException {
    List<TestingShellBlock> all = new ArrayList<>();
    for (TestingDocument document : TestingDocument.current()) {
      all.addAll(of(document));
    }
    return all;
  }

  static List<TestingShellBlock> of(TestingDocument document) {
    List<TestingShellBlock> blocks = new ArrayList<>();
    List<String> lines = document.text().lines().toList();
    boolean fenced = false;
    for (int number = 0; number < lines.size(); number++) {
      fenced ^= FENCE.matcher(lines.get(number)).find();
      if (!fenced && lines.get(number).startsWith(INDENT)) {
        int end = number;
        while (end < lines.size() && lines.get(end).startsWith(INDENT)) {
          end++;
        }
        blocks.add(
            new TestingShellBlock(
                "%s:%d".formatted(document.file().getFileName(), number + 1),
                commands(lines.subList(number, end))));
        number = end - 1;
      }
    }
    SPAN.matcher(document.text())
        .results()
        .forEach(span ->
            blocks.add(
                new TestingShellBlock(
                    "%s: `%s`".formatted(document.file().getFileName(), span.group(1)),
                    List.of(Line.of(span.group(1).replaceAll("\\s+", " "))))));
    return blocks;
  }

  private static List<Line> commands(List<String> indented) {
    List<Line> lines = new ArrayList<>();
    StringBuilder whole = new StringBuilder();
    for (String line : indented) {
      String text = line.strip();
      if (text.endsWith(CONTINUED)) {
        whole.append(text, 0, text.length() - 1);
      } else {
        lines.add(Line.of(whole + text));
        whole.setLength(0);
      }
    }
    return lines;
  }

  Stream<Line> fairlead() {
    return lines.stream().filter(Line::isFairlead);
  }
}
