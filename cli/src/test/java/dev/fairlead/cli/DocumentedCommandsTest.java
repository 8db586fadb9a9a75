package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.fairlead.media.prepare.SourceTools;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;

/**
 * Every command that a document says to type is understood, and runs, with a short clip for each
 * video. Those that take minutes or need what a machine may not have are listed here and only
 * understood; a new one runs.
 */
class DocumentedCommandsTest {
  /** They measure, for minutes, or prove devices; each has a test of its own. */
  private static final Set<String> UNDERSTOOD_ONLY =
      Set.of(
          "backup --to backup.zip",
          "bench compute",
          "bench dispatch",
          "bench fairness",
          "bench fairness --http",
          "bench gpu --cards 4",
          "bench grid",
          "bench jobs",
          "bench jobs --http",
          "bench ladder",
          "bench recovery",
          "bench service",
          "bench simulate",
          "bench start",
          "demo --chaos 'throw@20%,seed=7'",
          "demo --chaos crash@1",
          "doctor",
          "doctor --thorough --even-if-busy --json --profile FILE --report FILE",
          "job show ID",
          "jobs",
          "serve",
          "serve --root .",
          "serve --root . --webhook-host hooks.example.org",
          "simulate",
          "simulate --fleet \"2500xa:4,3750xb:2,3750xc:1\" --workload poisson --tasks 4000000"
              + " --set noise=0.1 --calibrated --policy NAME --json",
          "simulate --table",
          "transcode talk.mp4 -o out --at 127.0.0.1:8080",
          "transcode talk.mp4 -o out --ladder 1080p,720p,360p --report report.html");

  /** What makes a command short. */
  private static final Map<String, List<String>> SHORTER =
      Map.of("demo", List.of("--seconds", "1"));

  /** Whatever documents call a video. */
  private static final List<String> VIDEOS =
      List.of(
          "talk.mp4",
          "a.mp4",
          "b.mp4",
          "c.mp4",
          "b.mkv",
          "clip.mp4",
          "bear-1280x720.mp4",
          "INPUT",
          "FILE");

  private static final int MOST_MINUTES = 3;

  /** No command runs for so long that thorough compiling would pay. */
  private static final String SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

  private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z-]+");

  /** Options of other programs that documents name. */
  private static final Set<String> OF_OTHERS =
      Set.of("--device", "--enable-native-access", "--full", "--gpus", "--group-add");

  private static final Pattern MENTION =
      Pattern.compile("`((?:demo|transcode|probe|devices|doctor|simulate|model|bench) [^`\n]*)`");

  @TempDir private static Path clips;

  @TempDir private Path directory;

  @BeforeAll
  static void makeClip() throws InterruptedException {
    SourceTools.makeClip(clips.resolve("clip.mp4"), 1, 320, 180);
  }

  /** The blocks that have a command that no block before them has. */
  static Stream<TestingShellBlock> blocks() throws IOException {
    Set<String> known = new HashSet<>(UNDERSTOOD_ONLY);
    List<TestingShellBlock> blocks = new ArrayList<>();
    for (TestingShellBlock block : TestingShellBlock.all()) {
      List<String> all = block.fairlead().map(TestingShellBlock.Line::arguments).toList();
      if (known.addAll(all)) {
        blocks.add(block);
      }
    }
    return blocks.stream();
  }

  @ParameterizedTest
  @MethodSource("blocks")
  void whatADocumentSaysToTypeRuns(TestingShellBlock block) throws Exception {
    for (String name : VIDEOS) {
      Files.copy(clips.resolve("clip.mp4"), directory.resolve(name));
    }
    Files.writeString(directory.resolve("evening.scenario"), scenario());
    for (TestingShellBlock.Line line : block.fairlead().toList()) {
      if (!UNDERSTOOD_ONLY.contains(line.arguments())) {
        run(block.where(), line);
        setAside(directory.resolve("out"));
      }
    }
  }

  /** The next command of a block makes its own. */
  private static void setAside(Path output) throws IOException {
    for (int number = 1; Files.exists(output); number++) {
      Path other = output.resolveSibling("out-" + number);
      if (!Files.exists(other)) {
        Files.move(output, other);
      }
    }
  }

  /** The scenario that docs/simulator.md shows. */
  private static String scenario() throws IOException {
    return TestingDocument.of("docs/simulator.md")
        .text()
        .lines()
        .dropWhile(line -> !line.startsWith("    fleet "))
        .takeWhile(line -> line.startsWith("    "))
        .collect(Collectors.joining("\n"));
  }

  private void run(String where, TestingShellBlock.Line line) throws Exception {
    List<String> command = new ArrayList<>(ThisProgram.command());
    command.addAll(words(line.arguments()));
    command.addAll(SHORTER.getOrDefault(words(line.arguments()).getFirst(), List.of()));
    Path log = directory.resolve("log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("XDG_STATE_HOME", directory.resolve("state").toString());
    builder.environment().put("JDK_JAVA_OPTIONS", SHORT_LIVED);
    Process process = builder.start();
    try {
      assertThat(process.waitFor(MOST_MINUTES, TimeUnit.MINUTES)).as(where).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue())
        .as("%s: %s%n%s", where, line.text(), Files.readString(log))
        .isEqualTo(line.exitCode());
  }

  /** The words that a shell makes of it. */
  private static List<String> words(String text) throws IOException, InterruptedException {
    Process shell = new ProcessBuilder("bash", "-c", "printf '%s\\n' " + text).start();
    try {
      String words = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(shell.waitFor()).as(text).isZero();
      return words.lines().toList();
    } finally {
      shell.destroyForcibly();
    }
  }

  @Test
  void everyCommandIsUnderstood() throws Exception {
    Set<String> seen = new TreeSet<>();
    for (TestingShellBlock block : TestingShellBlock.all()) {
      for (TestingShellBlock.Line line : block.fairlead().toList()) {
        seen.add(line.arguments());
        String[] words = words(line.arguments()).toArray(String[]::new);
        assertThatCode(() -> Main.commandLine().parseArgs(words))
            .as("%s: %s", block.where(), line.text())
            .satisfiesAnyOf(
                failure -> assertThat(failure).isNull(),
                // A sentence may name a command without all that it needs.
                failure -> assertThat(failure).isInstanceOf(MissingParameterException.class));
      }
    }
    assertThat(seen).hasSizeGreaterThan(20).containsAll(UNDERSTOOD_ONLY);
  }

  @Test
  void whatSentencesSayOfCommandsIsUnderstood() throws Exception {
    for (TestingDocument document : TestingDocument.current()) {
      List<String> mentions =
          MENTION.matcher(document.text()).results().map(found -> found.group(1)).toList();
      for (String mention : mentions) {
        String[] words = mention.split(" ", -1);
        assertThatCode(() -> Main.commandLine().parseArgs(words))
            .as("%s: %s", document.file(), mention)
            .satisfiesAnyOf(
                failure -> assertThat(failure).isNull(),
                failure -> assertThat(failure).isInstanceOf(MissingParameterException.class));
      }
    }
  }

  @Test
  void everyOptionThatADocumentNamesExists() throws IOException {
    Set<String> known = new HashSet<>(OF_OTHERS);
    collect(Main.commandLine(), known);
    assertThat(known).contains("--placement", "--devices", "--verbose");
    for (TestingDocument document : TestingDocument.current()) {
      assertThat(OPTION.matcher(document.text()).results().map(found -> found.group()))
          .filteredOn(option -> !known.contains(option))
          .as("options that %s names and no command has", document.file())
          .isEmpty();
    }
  }

  @Test
  void linesForMavenNameModulesAndTestsThatExist() throws Exception {
    TestingSourceTree tree = TestingSourceTree.read();
    int named = 0;
    for (TestingShellBlock block : TestingShellBlock.all()) {
      for (TestingShellBlock.Line line : block.lines()) {
        List<String> words =
            line.text().startsWith("mvn ") ? words(line.text()) : List.<String>of();
        for (int i = 0; i < words.size(); i++) {
          if (words.get(i).equals("-pl")) {
            assertThat(tree.root().resolve(words.get(i + 1)).resolve("pom.xml"))
                .as(block.where())
                .exists();
          } else if (words.get(i).startsWith("-Dtest=")) {
            for (String test : words.get(i).substring("-Dtest=".length()).split(",", -1)) {
              named++;
              assertThat(tree.java())
                  .as("%s: %s", block.where(), test)
                  .anyMatch(source -> source.simpleName().matches(test.replace("*", ".*")));
            }
          }
        }
      }
    }
    assertThat(named).isGreaterThan(5);
  }

  private static void collect(CommandLine command, Set<String> names) {
    command.getCommandSpec().options().forEach(option -> names.addAll(List.of(option.names())));
    command.getSubcommands().values().forEach(each -> collect(each, names));
  }
}
