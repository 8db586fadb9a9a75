package dev.fairlead.media.job;

import java.nio.file.Path;

/** A process of its own that transcodes; tests kill it. */
public final class TestingJobProcess {
  private TestingJobProcess() {}

  /** Transcodes the first argument into the second, and ends with 0 if that went well. */
  public static void main(String[] arguments) throws Exception {
    TestingJobs.run(TestingJobs.request(Path.of(arguments[0]), Path.of(arguments[1])), "cpu:2");
  }

  static Process start(Path source, Path output) throws java.io.IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            TestingJobProcess.class.getName(),
            source.toString(),
            output.toString())
        .redirectErrorStream(true)
        .redirectOutput(output.resolveSibling("process.log").toFile())
        .start();
  }
}
