package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * The libraries speak to programs: no message of theirs names an option, a subcommand or an exit
 * code of the command, which a program that uses them does not have.
 */
class LibraryWordsTest {
  private static final Set<String> LIBRARIES =
      Set.of("core", "native", "compute", "backends", "media", "metrics", "simulator");

  @Test
  void noMessageOfALibraryNamesTheCommand() throws IOException {
    TestingSourceTree tree = TestingSourceTree.read();
    List<TestingSourceTree.Source> sources =
        tree.main().stream()
            .filter(source ->
                LIBRARIES.contains(tree.root().relativize(source.file()).getName(0).toString()))
            .toList();
    assertThat(sources).hasSizeGreaterThan(300);
    Pattern words = words();
    assertThat(
            sources.stream()
                .flatMap(source ->
                    source.literals().stream()
                        .filter(literal -> words.matcher(literal).find())
                        .map(literal -> source.simpleName() + ": " + literal)))
        .isEmpty();
  }

  @Test
  void wordsOfTheCommandAreFound() {
    assertThat(Stream.of("raise --memory", "run 'fairlead devices'", "ends with exit code 3"))
        .allMatch(text -> words().matcher(text).find());
    assertThat(Stream.of("--enable-native-access=ALL-UNNAMED", "fairlead units"))
        .noneMatch(text -> words().matcher(text).find());
  }

  private static Pattern words() {
    Set<String> options = new TreeSet<>();
    CommandLine main = Main.commandLine();
    collect(main, options);
    return Pattern.compile(
        "(?:%s)(?![\\w-])|fairlead (?:%s)\\b|exit code \\d"
            .formatted(
                String.join("|", options),
                main.getSubcommands().keySet().stream().collect(Collectors.joining("|"))));
  }

  private static void collect(CommandLine command, Set<String> options) {
    command
        .getCommandSpec()
        .options()
        .forEach(option ->
            Stream.of(option.names()).filter(name -> name.startsWith("--")).forEach(options::add));
    command.getSubcommands().values().forEach(each -> collect(each, options));
  }
}
