package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The messages that docs/troubleshooting.md quotes are those that the program prints. They stand in
 * blocks fenced as {@code message}, one a line; {@code …} stands for what differs from case to
 * case.
 */
class TroubleshootingDocumentTest {
  private static final String VARYING = "…";

  /** A message needs a part as long as this that does not vary, or anything would match it. */
  private static final int LEAST = 10;

  @Test
  void everyMessageIsInTheSources() throws IOException {
    TestingSourceTree tree = TestingSourceTree.read();
    List<List<String>> files =
        Stream.concat(
                tree.main().stream().map(TestingSourceTree.Source::literals),
                tree.scripts().stream().map(script -> List.of(script.text())))
            .toList();
    List<String> messages = messages();
    assertThat(messages).hasSizeGreaterThan(30);
    assertThat(messages)
        .filteredOn(message -> !isIn(files, message))
        .as("messages of docs/troubleshooting.md that are not in the sources")
        .isEmpty();
  }

  @Test
  void aMessageThatNobodyPrintsIsFound() {
    List<List<String>> files = List.of(List.of("%s is busy, wait for it"), List.of("or go away"));

    assertThat(isIn(files, "out is busy, wait for it")).isFalse();
    assertThat(isIn(files, "… is busy, wait for it")).isTrue();
    assertThat(isIn(files, "… is busy, wait for it, or go away")).isFalse();
    assertThat(isIn(files, "… is busy, wait for it, … or go away")).isFalse();
  }

  private static List<String> messages() throws IOException {
    return TestingDocument.of("docs/troubleshooting.md").blocks("message").stream()
        .flatMap(String::lines)
        .filter(line -> !line.isBlank())
        .toList();
  }

  /** Whether the literals of one file have all parts of a message that do not vary. */
  private static boolean isIn(List<List<String>> files, String message) {
    List<String> parts =
        Stream.of(message.split(VARYING, -1)).filter(part -> part.strip().length() > 1).toList();
    assertThat(parts).as(message).anySatisfy(part -> assertThat(part).hasSizeGreaterThan(LEAST));
    return files.stream()
        .anyMatch(literals ->
            parts.stream()
                .allMatch(part -> literals.stream().anyMatch(literal -> literal.contains(part))));
  }
}
