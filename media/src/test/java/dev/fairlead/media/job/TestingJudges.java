package dev.fairlead.media.job;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Programs of others that look at packages: shaka-packager, mp4box.js and m3u8-parser, which npm
 * brings once into the build's own directory.
 */
final class TestingJudges {
  private static final List<String> PACKAGES =
      List.of("shaka-packager@3.4.2", "mp4box@2.4.1", "m3u8-parser@7.2.0");
  private static final Path HOME = Path.of("target", "judges").toAbsolutePath();
  private static final long INSTALL_SECONDS = 240;
  private static final long JUDGE_SECONDS = 120;

  private TestingJudges() {}

  /**
   * What they say of a package.
   *
   * @param scratch a directory for what they write
   */
  static JsonNode judge(Path output, Path scratch) throws Exception {
    install();
    Path script = HOME.resolve("judge.mjs");
    String text =
        run(
            JUDGE_SECONDS,
            scratch,
            "node",
            script.toString(),
            output.toString(),
            scratch.toString());
    return JsonMapper.shared().readTree(text);
  }

  private static void install() throws Exception {
    Files.createDirectories(HOME);
    try (FileChannel channel =
            FileChannel.open(
                HOME.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock ignored = channel.lock()) {
      Path there = HOME.resolve("installed");
      String wanted = String.join(" ", PACKAGES);
      if (!Files.exists(there) || !Files.readString(there).equals(wanted)) {
        List<String> command =
            new ArrayList<>(
                List.of(
                    "npm",
                    "install",
                    "--no-audit",
                    "--no-fund",
                    "--no-package-lock",
                    "--prefix",
                    HOME.toString()));
        command.addAll(PACKAGES);
        run(INSTALL_SECONDS, HOME, command.toArray(String[]::new));
        Files.writeString(there, wanted);
      }
      try (InputStream script = TestingJudges.class.getResourceAsStream("judge.mjs")) {
        // Moved there, since tests of another process may be reading it.
        Path copy = HOME.resolve("judge.mjs.copy");
        Files.copy(Objects.requireNonNull(script), copy, StandardCopyOption.REPLACE_EXISTING);
        Files.move(copy, HOME.resolve("judge.mjs"), StandardCopyOption.ATOMIC_MOVE);
      }
    }
  }

  private static String run(long seconds, Path scratch, String... command)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(scratch, "judge", ".out");
    Path err = Files.createTempFile(scratch, "judge", ".err");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      throw new AssertionError("Still running after %d s: %s".formatted(seconds, List.of(command)));
    }
    if (process.exitValue() != 0) {
      throw new AssertionError(
          "%s ended with %d: %s"
              .formatted(List.of(command), process.exitValue(), Files.readString(err)));
    }
    return Files.readString(out);
  }
}
