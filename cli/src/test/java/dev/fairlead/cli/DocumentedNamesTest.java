package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The types and files that documents name are there. Decisions and the changelog are history, and
 * may name what has gone.
 */
class DocumentedNamesTest {
  private static final Pattern BLOCK =
      Pattern.compile("^```.*?^```$", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");

  /** A type, perhaps with a member or an inner type of it, perhaps called. */
  private static final Pattern TYPE =
      Pattern.compile("@?([A-Z][A-Za-z0-9]*)((?:\\.[A-Za-z]\\w*)*)(?:\\(.*\\))?");

  private static final Pattern LOWER_CASE = Pattern.compile("[a-z]");

  /** Types of the JDK and of libraries. */
  private static final Set<String> OF_OTHERS =
      Set.of(
          "ChronoUnit",
          "CompletableFuture",
          "ExecutorService",
          "MemorySegment",
          "MeterBinder",
          "NullMarked",
          "Nullable",
          "ServiceLoader");

  /** How types are to be named: X stands for anything. */
  private static final Set<String> FORMS =
      Set.of("ManualX", "TestingX", "XBenchmark", "XStressTest", "XTest");

  private static TestingSourceTree tree;
  private static Map<String, List<TestingSourceTree.Source>> types;

  @BeforeAll
  static void read() throws IOException {
    tree = TestingSourceTree.read();
    types = tree.types();
  }

  @Test
  void everyTypeThatADocumentNamesExists() throws IOException {
    int named = 0;
    for (TestingDocument document : TestingDocument.current()) {
      List<Matcher> spans = spans(document).map(TYPE::matcher).filter(Matcher::matches).toList();
      named += spans.size();
      assertThat(spans.stream().filter(span -> !exists(span)).map(Matcher::group))
          .as("types that %s names and that do not exist", document.file())
          .isEmpty();
    }
    assertThat(named).isGreaterThan(100);
  }

  @Test
  void aTypeOrAMemberThatDoesNotExistIsFound() {
    assertThat(
            Stream.of(
                "DevicePool", "DevicePool.lease(demand)", "Outcome.Failed", "AV1", "Nullable"))
        .allMatch(span -> exists(matched(span)));
    assertThat(Stream.of("Steward", "DevicePool.borrow", "Outcome.Postponed"))
        .noneMatch(span -> exists(matched(span)));
  }

  private static Matcher matched(String span) {
    Matcher matcher = TYPE.matcher(span);
    assertThat(matcher.matches()).as(span).isTrue();
    return matcher;
  }

  @Test
  void everyFileThatARecipeNamesExists() throws IOException {
    TestingDocument recipes = TestingDocument.of("docs/recipes.md");
    List<String> classes =
        spans(recipes).filter(span -> span.matches("[A-Z][a-z]\\w*")).distinct().toList();
    List<String> paths = spans(recipes).filter(span -> span.contains("/")).distinct().toList();

    assertThat(classes).isNotEmpty();
    assertThat(classes.stream().filter(name -> tree.called(name).isEmpty()))
        .as("classes of docs/recipes.md without a source file")
        .isEmpty();
    assertThat(paths)
        .isNotEmpty()
        .map(tree.root()::resolve)
        .allSatisfy(path -> assertThat(path).exists());
  }

  private static Stream<String> spans(TestingDocument document) {
    return CODE.matcher(BLOCK.matcher(document.text()).replaceAll(""))
        .results()
        .map(found -> found.group(1));
  }

  /** A capital and small letters are the name of a type; capitals alone are something else. */
  private static boolean exists(Matcher named) {
    String type = named.group(1);
    if (!LOWER_CASE.matcher(type).find() || OF_OTHERS.contains(type) || FORMS.contains(type)) {
      return true;
    }
    List<TestingSourceTree.Source> declaring = types.getOrDefault(type, List.of());
    return declaring.stream()
        .anyMatch(source ->
            Stream.of(named.group(2).split("\\.", -1))
                .allMatch(member ->
                    Pattern.compile("\\b" + member + "\\b").matcher(source.text()).find()));
  }
}
