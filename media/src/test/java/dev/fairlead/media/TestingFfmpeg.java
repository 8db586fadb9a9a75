package dev.fairlead.media;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bytedeco.ffmpeg.ffmpeg;
import org.bytedeco.ffmpeg.ffprobe;
import org.bytedeco.javacpp.Loader;

/**
 * The {@code ffmpeg} and {@code ffprobe} programs of the bundled build: they make sources and judge
 * results.
 */
public final class TestingFfmpeg {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private TestingFfmpeg() {}

  /** Runs {@code ffmpeg}, quiet but for errors, and answers what it wrote to standard output. */
  public static String ffmpeg(String... arguments) {
    List<String> command = new ArrayList<>(List.of(program(ffmpeg.class)));
    command.addAll(List.of("-nostdin", "-hide_banner", "-v", "error", "-y"));
    command.addAll(List.of(arguments));
    return text(run(command));
  }

  /** Runs {@code ffprobe}, quiet but for errors, and answers what it wrote to standard output. */
  public static String ffprobe(String... arguments) {
    List<String> command = new ArrayList<>(List.of(program(ffprobe.class), "-v", "error"));
    command.addAll(List.of(arguments));
    return text(run(command));
  }

  /** Decodes all of {@code file} and fails if there was as much as one complaint. */
  public static void decodesCleanly(Path file) {
    List<String> command = new ArrayList<>(List.of(program(ffmpeg.class)));
    command.addAll(List.of("-nostdin", "-hide_banner", "-v", "warning"));
    command.addAll(List.of("-i", file.toString(), "-map", "0", "-f", "null", "-"));
    String complaints = run(command).err();
    if (!complaints.isBlank()) {
      throw new AssertionError(file + " does not decode cleanly: " + complaints);
    }
  }

  private static String text(Output output) {
    if (!output.err().isBlank()) {
      throw new AssertionError("Complaints: " + output.err());
    }
    return output.out();
  }

  private static Output run(List<String> command) {
    try {
      Path out = Files.createTempFile("fairlead", ".out");
      Path err = Files.createTempFile("fairlead", ".err");
      try {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("SVT_LOG", "1");
        // Some of the libraries beside the program look for others of them only there.
        builder
            .environment()
            .put("LD_LIBRARY_PATH", Path.of(command.getFirst()).getParent().toString());
        Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
          process.destroyForcibly();
          throw new AssertionError("Still running after " + LIMIT + ": " + command);
        }
        Output output =
            new Output(
                Files.readString(out, StandardCharsets.ISO_8859_1),
                Files.readString(err, StandardCharsets.ISO_8859_1));
        if (process.exitValue() != 0) {
          throw new AssertionError(
              command + " ended with " + process.exitValue() + ": " + output.err());
        }
        return output;
      } finally {
        Files.deleteIfExists(out);
        Files.deleteIfExists(err);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("Interrupted", e);
    }
  }

  private static String program(Class<?> of) {
    return Loader.load(of);
  }

  private record Output(String out, String err) {}
}
