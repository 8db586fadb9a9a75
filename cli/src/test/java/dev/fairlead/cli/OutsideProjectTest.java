package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A Maven project outside of this tree, made as docs/library.md says: its descriptor, its commands,
 * the README's program, and a backend of its own with a kind of its own.
 *
 * <p>Artifacts of Fairlead are put where {@code mvn install} puts them, in a local repository of
 * the test's own; all others come from the one that this build uses, so that nothing is downloaded.
 */
class OutsideProjectTest {
  private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();
  private static final String GUIDE = "docs/library.md";
  private static final int MOST_MINUTES = 4;
  private static final Pattern VERSION = Pattern.compile("<version>([^<]+)</version>");

  @TempDir private Path directory;

  private Path project;
  private Path local;

  @BeforeEach
  void makeProject() throws IOException {
    project = directory.resolve("a project");
    local = directory.resolve("repository");
    install("fairlead", REPOSITORY);
    install("fairlead-core", REPOSITORY.resolve("core"));
    install("fairlead-backends-cpu", REPOSITORY.resolve("backends/cpu"));
    write(project.resolve("pom.xml"), only(guide().blocks("xml")));
    Path sources = project.resolve("src/main/java");
    write(sources.resolve("Example.java"), only(TestingDocument.of("README.md").blocks("java")));
    write(
        sources.resolve("own/ToyProvider.java"),
        "package own;\n" + TestingDocument.imports("dev.fairlead.device") + block("ToyProvider"));
    write(
        sources.resolve("Toys.java"),
        TestingDocument.imports("dev.fairlead.device", "dev.fairlead.policy", "dev.fairlead.pool")
            + "void main() throws InterruptedException {\n"
            + block("Discovery.find(\"toy\")")
            + "}\n");
    write(
        project.resolve("src/main/resources/META-INF/services/dev.fairlead.device.DeviceProvider"),
        "own.ToyProvider\n");
    write(
        directory.resolve("settings.xml"),
        """
        <settings>
          <mirrors>
            <mirror>
              <id>here</id>
              <mirrorOf>*</mirrorOf>
              <url>%s</url>
            </mirror>
          </mirrors>
        </settings>
        """
            .formatted(known().toUri()));
  }

  private static TestingDocument guide() throws IOException {
    return TestingDocument.of(GUIDE);
  }

  /** The only snippet of the guide with that text. */
  private static String block(String with) throws IOException {
    return only(guide().blocks("java").stream().filter(block -> block.contains(with)).toList());
  }

  private static String only(List<String> blocks) {
    assertThat(blocks).hasSize(1);
    return blocks.getFirst();
  }

  /** The local repository of this build. */
  private static Path known() {
    Path usual = Path.of(System.getProperty("user.home", ""), ".m2", "repository");
    return Path.of(System.getProperty("localRepository", usual.toString()));
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  /** Puts a module where Maven installs it. */
  private void install(String artifact, Path module) throws IOException {
    String descriptor = Files.readString(module.resolve("pom.xml"));
    String version = VERSION.matcher(descriptor).results().findFirst().orElseThrow().group(1);
    Path place = local.resolve("dev/fairlead").resolve(artifact).resolve(version);
    write(place.resolve("%s-%s.pom".formatted(artifact, version)), descriptor);
    if (!module.equals(REPOSITORY)) {
      TestingJar.make(
          module.resolve("target/classes"),
          place.resolve("%s-%s.jar".formatted(artifact, version)));
    }
  }

  @Test
  void aProjectMadeAsTheGuideSaysIsBuiltAndRuns() throws Exception {
    List<String> commands = commands();
    assertThat(commands).hasSize(2);
    String settings = directory.resolve("settings.xml").toString();

    run(
        commands.getFirst()
            + " -q -B -s '%s' -gs '%s' '-Dmaven.repo.local=%s'"
                .formatted(settings, settings, local));

    assertThat(run(commands.getLast()))
        .isEqualTo(only(TestingDocument.of("README.md").blocks("text")));
    assertThat(run(commands.getLast().replace("Example", "Toys"))).isEqualTo("toy:0\n");
  }

  /** What the guide says to type in such a project: the first lines that are set apart. */
  private static List<String> commands() throws IOException {
    return guide()
        .text()
        .lines()
        .dropWhile(line -> !line.equals("## A project of your own"))
        .dropWhile(line -> !line.startsWith("    mvn "))
        .takeWhile(line -> line.startsWith("    "))
        .map(String::strip)
        .toList();
  }

  /** Runs a command in the project as a shell does; what it printed. */
  private String run(String command) throws IOException, InterruptedException {
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-c", command)
            .directory(project.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    String home = System.getProperty("java.home", "");
    builder.environment().keySet().removeIf(name -> name.startsWith("MAVEN_"));
    builder.environment().put("JAVA_HOME", home);
    builder
        .environment()
        .merge("PATH", "", (path, none) -> home + "/bin" + File.pathSeparator + path);
    Process process = builder.start();
    try {
      assertThat(process.waitFor(MOST_MINUTES, TimeUnit.MINUTES)).as(command).isTrue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    String printed = Files.readString(out);
    assertThat(process.exitValue())
        .as("%s%n%s%n%s", command, printed, Files.readString(err))
        .isZero();
    return printed;
  }
}
