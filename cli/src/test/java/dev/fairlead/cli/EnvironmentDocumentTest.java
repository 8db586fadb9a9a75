package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** docs/environment.md has every variable and property that the program reads or sets. */
class EnvironmentDocumentTest {
  private static final String NAME = "(?:\"([^\"]+)\"|((?:[A-Z]\\w*\\.)?[A-Z][A-Z_]+)\\b)";

  /** Calls that take the name of a variable or a property, as a literal or as a constant. */
  private static final Pattern READ =
      Pattern.compile(
          "(?:System\\s*\\.(?:getenv|getProperty|setProperty|clearProperty)"
              + "|Boolean\\.getBoolean|Integer\\.getInteger|Long\\.getLong"
              + "|environment(?:\\(\\))?\\.(?:put|get|getOrDefault|remove))\\(\\s*"
              + NAME);

  /** Options for other JVMs that set a property. */
  private static final Pattern HANDED_ON =
      Pattern.compile("\"-D(?:([a-z][\\w.]*)=[^\"]*\"|\"\\s*\\+\\s*((?:[A-Z]\\w*\\.)?[A-Z_]+)\\b)");

  /**
   * A property of Fairlead, wherever it is named: also where it is read by another name. Keys of
   * spans are none.
   */
  private static final Pattern OWN = Pattern.compile("(?<!Key\\()\"(fairlead(?:\\.[a-z]+)+)\"");

  private static final Pattern OF_SCRIPTS = Pattern.compile("\\$\\{?([A-Z][A-Z_]{2,})");
  private static final Pattern SET_BY_SCRIPTS =
      Pattern.compile("(?:\\b|-D)([A-Z][A-Z_]{2,}|fairlead(?:\\.[a-z]+)+)=");

  /** What bash has by itself, and names inside of files that scripts read. */
  private static final Set<String> OF_BASH =
      Set.of("BASH_SOURCE", "EUID", "IFS", "SECONDS", "JAVA_VERSION", "TEXT");

  private static final String LACKING = "what docs/environment.md lacks";

  private static TestingSourceTree tree;
  private static String page;

  @BeforeAll
  static void read() throws IOException {
    tree = TestingSourceTree.read();
    page = TestingDocument.of("docs/environment.md").text();
  }

  @Test
  void thePageHasWhateverMainCodeReadsOrSets() {
    Set<String> names = new TreeSet<>();
    for (TestingSourceTree.Source source : tree.main()) {
      READ.matcher(source.text()).results().forEach(found -> names.add(name(source, found)));
      HANDED_ON.matcher(source.text()).results().forEach(found -> names.add(name(source, found)));
      OWN.matcher(source.text()).results().forEach(found -> names.add(found.group(1)));
    }
    assertThat(names).contains("XDG_STATE_HOME", "OCL_ICD_VENDORS", "fairlead.memory", "user.home");
    assertThat(names).filteredOn(name -> !page.contains("`" + name + "`")).as(LACKING).isEmpty();
  }

  @Test
  void thePageHasWhateverScriptsReadOrSet() {
    Set<String> names = new TreeSet<>();
    for (TestingSourceTree.Source script : tree.scripts()) {
      OF_SCRIPTS.matcher(script.text()).results().forEach(found -> names.add(found.group(1)));
      SET_BY_SCRIPTS.matcher(script.text()).results().forEach(found -> names.add(found.group(1)));
    }
    names.removeAll(OF_BASH);
    assertThat(names).contains("FAIRLEAD_JAVA_OPTS", "JAVA_HOME", "LC_ALL", "fairlead.launcher");
    assertThat(names).filteredOn(name -> !page.contains("`" + name + "`")).as(LACKING).isEmpty();
  }

  /** What was found: a literal, or a constant of the file or of the type that is named. */
  private static String name(TestingSourceTree.Source source, MatchResult found) {
    if (found.group(1) != null) {
      return found.group(1);
    }
    String constant = found.group(2);
    int dot = constant.indexOf('.');
    TestingSourceTree.Source owner =
        dot < 0 ? source : tree.called(constant.substring(0, dot)).getFirst();
    return owner
        .constant(constant.substring(dot + 1))
        .orElseThrow(() -> new AssertionError(constant + " in " + owner.file()));
  }
}
