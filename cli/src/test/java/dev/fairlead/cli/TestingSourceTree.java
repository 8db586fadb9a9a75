package dev.fairlead.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The sources of the repository as text, for tests that compare documents with them.
 *
 * @param java every Java file, those of tests included
 * @param scripts the launcher, {@code verify} and what they include
 */
record TestingSourceTree(Path root, List<Source> java, List<Source> scripts) {
  private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();

  private static final Pattern LITERAL =
      Pattern.compile("\"\"\"(.*?)\"\"\"|\"((?:[^\"\\\\\n]|\\\\.)*)\"", Pattern.DOTALL);

  /** What stands between the parts of a literal that is too long for a line. */
  private static final Pattern JOINT = Pattern.compile("\"\\s*\\+\\s*\"");

  private static final Pattern TYPE =
      Pattern.compile("\\b(?:class|interface|record|enum)\\s+([A-Z]\\w*)");

  /** An escape that {@link String#translateEscapes} does not know. */
  private static final Pattern UNICODE = Pattern.compile("(?<!\\\\)\\\\u[0-9a-fA-F]{4}");

  /** One file. */
  record Source(Path file, String text) {
    String simpleName() {
      return String.valueOf(file.getFileName()).replaceFirst("\\.java$", "");
    }

    boolean isMain() {
      return file.toString().contains("/src/main/");
    }

    /** What its string literals say, each as a whole even if it is written in parts. */
    List<String> literals() {
      return LITERAL
          .matcher(JOINT.matcher(text).replaceAll(""))
          .results()
          .map(Source::literal)
          .toList();
    }

    private static String literal(MatchResult found) {
      String block = found.group(1);
      String text = block == null ? found.group(2) : block.stripIndent();
      return UNICODE.matcher(text).replaceAll("?").translateEscapes();
    }

    /** The names of all types that are declared there. */
    List<String> types() {
      return TYPE.matcher(text).results().map(found -> found.group(1)).toList();
    }

    /** The value of a string constant that is declared there. */
    Optional<String> constant(String name) {
      return Pattern.compile("String " + name + "\\s*=\\s*\"([^\"]*)\"")
          .matcher(text)
          .results()
          .map(found -> found.group(1))
          .findFirst();
    }
  }

  static TestingSourceTree read() throws IOException {
    List<Source> java = new ArrayList<>();
    List<Source> scripts = new ArrayList<>();
    try (Stream<Path> files = Files.walk(REPOSITORY)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        String name = REPOSITORY.relativize(file).toString();
        if (name.contains("/src/") && name.endsWith(".java") && !name.contains("target/")) {
          java.add(new Source(file, Files.readString(file)));
        } else if (name.matches("fairlead|verify|scripts/[^/]+\\.sh")) {
          scripts.add(new Source(file, Files.readString(file)));
        }
      }
    }
    return new TestingSourceTree(REPOSITORY, List.copyOf(java), List.copyOf(scripts));
  }

  List<Source> main() {
    return java.stream().filter(Source::isMain).toList();
  }

  /** For each type, those declared inside of others included, the files that declare it. */
  Map<String, List<Source>> types() {
    Map<String, List<Source>> types = new HashMap<>();
    for (Source source : java) {
      for (String type : source.types()) {
        types.computeIfAbsent(type, name -> new ArrayList<>()).add(source);
      }
    }
    return types;
  }

  /** The files that are called like a type. */
  List<Source> called(String type) {
    return java.stream().filter(source -> source.simpleName().equals(type)).toList();
  }
}
