package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.prepare.SourceTools;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher's caches of classes are made again where they do not fit, and never in the way. */
class LauncherCachesTest {
  @TempDir private Path root;

  private Path target;

  /** A tree that is built: the launcher, its scripts, and what is on the class path as jars. */
  @BeforeEach
  void makeTree() throws IOException {
    target = root.resolve("cli/target");
    Files.createDirectories(target.resolve("lib"));
    Files.createDirectories(root.resolve("scripts"));
    for (String name : List.of("fairlead", "pom.xml", "scripts/jdk.sh", "scripts/locale.sh")) {
      Files.copy(Path.of("..", name), root.resolve(name), StandardCopyOption.COPY_ATTRIBUTES);
    }
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path path = Path.of(entry).toAbsolutePath();
      if (!Files.isDirectory(path)) {
        Path jar = target.resolve("lib").resolve(path.getFileName());
        Files.copy(path, jar, StandardCopyOption.REPLACE_EXISTING);
      } else if (path.endsWith("cli/target/classes")) {
        TestingJar.make(path, target.resolve("fairlead-cli-1.jar"));
      } else if (path.endsWith("classes")) {
        String module = path.getName(path.getNameCount() - 3).toString();
        TestingJar.make(path, target.resolve("lib/fairlead-" + module + ".jar"));
      }
    }
    Files.createFile(target.resolve("fairlead.stamp"));
  }

  private String run(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(root.resolve("fairlead").toString()));
    command.addAll(Arrays.asList(arguments));
    Path log = root.resolve("log");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    try {
      assertThat(process.waitFor(4, TimeUnit.MINUTES)).as(Files.readString(log)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).as(Files.readString(log)).isZero();
    return Files.readString(log);
  }

  @Test
  void brokenCachesAreNotUsedAndStaleOnesMadeAgain() throws Exception {
    Path clip = root.resolve("clip.mp4");
    SourceTools.makeClip(clip, 1, 160, 90);
    List<Path> caches =
        List.of(target.resolve("fairlead.aot"), target.resolve("fairlead-worker.aot"));
    assertThat(run("--version")).contains("fairlead ");
    assertThat(caches).allSatisfy(cache -> assertThat(cache).isNotEmptyFile());

    for (Path cache : caches) {
      Files.writeString(cache, "broken");
    }
    String broken =
        run(
            "transcode",
            clip.toString(),
            "-o",
            root.resolve("out").toString(),
            "--ladder",
            "160x90",
            "--preset",
            "13",
            "--devices",
            "cpu:1",
            "--model",
            "none");
    assertThat(broken).contains("master.m3u8").doesNotContain("aot", "warning", "Preparing");
    assertThat(caches).allSatisfy(cache -> assertThat(cache).hasContent("broken"));

    Files.setLastModifiedTime(target.resolve("fairlead.aot.key"), FileTime.fromMillis(0));
    assertThat(run("--version")).contains("Preparing", "fairlead ");
    assertThat(caches)
        .allSatisfy(cache -> assertThat(Files.size(cache)).isGreaterThan("broken".length()));
  }
}
