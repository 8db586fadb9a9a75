package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.policy.Policies;
import dev.fairlead.policy.ServicePolicies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The documents are true as far as a compiler and a file system can tell. */
class DocumentsTest {
  /** What a snippet may use without an import. */
  private static final List<String> IMPORTED =
      List.of(
          "dev.fairlead.device",
          "dev.fairlead.dispatch",
          "dev.fairlead.event",
          "dev.fairlead.health",
          "dev.fairlead.lease",
          "dev.fairlead.media.job",
          "dev.fairlead.media.local",
          "dev.fairlead.media.plan",
          "dev.fairlead.metrics",
          "dev.fairlead.outcome",
          "dev.fairlead.policy",
          "dev.fairlead.pool",
          "dev.fairlead.range",
          "dev.fairlead.stats",
          "dev.fairlead.units",
          "io.micrometer.core.instrument",
          "io.micrometer.core.instrument.simple",
          "io.opentelemetry.api",
          "java.nio.file",
          "java.time",
          "java.util.concurrent");

  private static final Pattern DECLARATION =
      Pattern.compile("^(public |final )+class ", Pattern.MULTILINE);

  @TempDir private Path directory;

  /** All documents but the README, whose example is a program. */
  @Test
  void everySnippetCompiles() throws IOException {
    List<String> snippets =
        TestingDocument.current().stream()
            .filter(document -> !document.file().endsWith("README.md"))
            .flatMap(document -> document.blocks("java").stream())
            .toList();
    assertThat(snippets).hasSizeGreaterThan(30);
    StringBuilder methods = new StringBuilder();
    for (int i = 0; i < snippets.size(); i++) {
      String snippet = snippets.get(i);
      boolean declares = DECLARATION.matcher(snippet).lookingAt();
      methods
          .append(declares ? "" : "void snippet%d() throws Exception {%n".formatted(i))
          .append(snippet)
          .append(declares ? "" : "}\n");
    }
    Path source = directory.resolve("Snippets.java");
    Files.writeString(
        source,
        """
        %s
        abstract class Snippets {
        DevicePool pool;
        Dispatcher dispatcher;
        Demand demand;
        %s
        }
        """
            .formatted(TestingDocument.imports(IMPORTED.toArray(String[]::new)), methods));

    TestingDocument.compile(source, directory);
  }

  @Test
  void everyLinkLeadsSomewhere() throws IOException {
    for (TestingDocument document : TestingDocument.all()) {
      assertThat(document.links())
          .as("links of %s", document.file())
          .allSatisfy(DocumentsTest::exists);
    }
  }

  @Test
  void decisionsHaveNumbersOfTheirOwnAndTheirFourParts() throws IOException {
    List<TestingDocument> decisions =
        TestingDocument.all().stream()
            .filter(document -> document.file().toString().contains("decisions"))
            .toList();
    assertThat(decisions).isNotEmpty();
    // A number is taken when a record is begun, so that there may be gaps, but none is taken twice.
    assertThat(decisions.stream().map(DocumentsTest::number)).doesNotHaveDuplicates();
    for (TestingDocument decision : decisions) {
      assertThat(number(decision)).matches("\\d{4}");
      assertThat(decision.text()).startsWith("# " + number(decision) + ". ");
      assertThat(headings(decision.text()))
          .as("%s", decision.file())
          .containsExactly("## Status", "## Context", "## Decision", "## Consequences");
    }
  }

  private static String number(TestingDocument decision) {
    return String.valueOf(decision.file().getFileName()).replaceFirst("-.*", "");
  }

  @Test
  void thePoliciesThatAreDescribedAreThoseThatThereAre() throws IOException {
    String scheduling = TestingDocument.of("docs/scheduling.md").text();
    assertThat(firstColumn(scheduling, "## Placement policies")).isEqualTo(Policies.names());
    assertThat(firstColumn(scheduling, "## Service policies")).isEqualTo(ServicePolicies.names());
  }

  /** The names that begin the rows of the first table under a heading. */
  private static List<String> firstColumn(String text, String heading) {
    return text.lines()
        .dropWhile(line -> !line.equals(heading))
        .dropWhile(line -> !line.startsWith("| `"))
        .takeWhile(line -> line.startsWith("| `"))
        .map(line -> line.substring(3, line.indexOf('`', 3)))
        .toList();
  }

  private static List<String> headings(String text) {
    return text.lines().filter(line -> line.startsWith("## ")).toList();
  }

  private static void exists(Path file) {
    assertThat(file).exists();
  }
}
