package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** A Markdown file of the repository: its fenced blocks, its links, and its code compiled. */
record TestingDocument(Path file, String text) {
  /** Tests run in their module's directory. */
  private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();

  private static final Pattern LINK = Pattern.compile("]\\(([^)#]+)[^)]*\\)");

  static TestingDocument of(String name) throws IOException {
    return of(REPOSITORY.resolve(name));
  }

  private static TestingDocument of(Path file) throws IOException {
    return new TestingDocument(file, Files.readString(file));
  }

  /** The documents at the root and under {@code docs}. */
  static List<TestingDocument> all() throws IOException {
    List<TestingDocument> all = new ArrayList<>();
    try (var root = Files.list(REPOSITORY);
        var docs = Files.walk(REPOSITORY.resolve("docs"))) {
      for (Path file : Stream.concat(root, docs).sorted().toList()) {
        if (file.toString().endsWith(".md")) {
          all.add(of(file));
        }
      }
    }
    return all;
  }

  /** All but decisions and the changelog, which are history and may name what has gone. */
  static List<TestingDocument> current() throws IOException {
    return all().stream().filter(document -> !document.isHistory()).toList();
  }

  private boolean isHistory() {
    return file.toString().contains("decisions") || file.endsWith("CHANGELOG.md");
  }

  /** The blocks that are fenced as {@code language}, in order. */
  List<String> blocks(String language) {
    return Pattern.compile("^```" + language + "\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
        .matcher(text)
        .results()
        .map(match -> match.group(1))
        .toList();
  }

  /** The files of the repository that the document links to. */
  List<Path> links() {
    return LINK.matcher(text)
        .results()
        .map(match -> match.group(1))
        .filter(target -> !target.contains(":"))
        .map(target -> file.resolveSibling(target).normalize())
        .toList();
  }

  /** Import declarations for what a snippet of the library guide uses. */
  static String imports(String... packages) {
    return Stream.concat(Stream.of(packages), Stream.of("java.util"))
        .map(each -> "import " + each + ".*;\n")
        .collect(Collectors.joining());
  }

  /** Compiles a source file against the class path of the tests; fails with the messages. */
  static void compile(Path source, Path into) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      boolean compiled =
          compiler
              .getTask(
                  messages,
                  files,
                  null,
                  List.of("-d", into.toString(), "-classpath", classPath(), "-proc:none"),
                  null,
                  files.getJavaFileObjects(source))
              .call();
      assertThat(compiled).as("%s%n%s", source, messages).isTrue();
    }
  }

  static String classPath() {
    return System.getProperty("java.class.path", "");
  }
}
