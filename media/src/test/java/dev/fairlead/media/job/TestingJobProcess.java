package dev.fairlead.media.job;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A process of its own that transcodes; tests kill it. */
public final class TestingJobProcess {
  private static final int STORAGE = 6;

  private TestingJobProcess() {}

  /**
   * Transcodes the first argument into the second; ends with 0 if that went well, and with 6 if
   * storage failed.
   */
  public static void main(String[] arguments) throws Exception {
    try {
      TestingJobs.run(TestingJobs.request(Path.of(arguments[0]), Path.of(arguments[1])), "cpu:2");
    } catch (TranscodeException.Storage failure) {
      System.err.println(failure.getMessage());
      System.exit(STORAGE);
    }
  }

  static List<String> command(Path source, Path output) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-cp",
        System.getProperty("java.class.path"),
        TestingJobProcess.class.getName(),
        source.toString(),
        output.toString());
  }

  static Process start(Path source, Path output) throws IOException {
    return new ProcessBuilder(command(source, output))
        .redirectErrorStream(true)
        .redirectOutput(output.resolveSibling("process.log").toFile())
        .start();
  }
}
