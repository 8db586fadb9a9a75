package dev.fairlead.media.store;

import dev.fairlead.device.DeviceId;
import dev.fairlead.media.plan.Fingerprint;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A process that commits chunk after chunk to a directory, and says so on its output once each is
 * durable.
 */
final class TestingWriter {
  private static final DeviceId DEVICE = DeviceId.of("cpu:0");

  private TestingWriter() {}

  public static void main(String[] arguments) {
    try (Workspace workspace = Workspace.open(Path.of(arguments[0]))) {
      workspace.journal().append(new JournalEntry.Begun(Fingerprint.empty()));
      int samples = Integer.parseInt(arguments[1]);
      say("ready");
      for (long chunk = 0; ; chunk++) {
        UnitId unit = new UnitId("720p", chunk);
        if (!workspace.journal().state().committed().containsKey(unit)) {
          workspace.journal().append(new JournalEntry.Started(unit, DEVICE, 1));
          List<Sample> content = TestingSamples.of(chunk, samples);
          Path file = workspace.chunkFile(unit, DEVICE);
          workspace.commit(unit, file, ChunkFile.write(file, TestingSamples.header(unit), content));
          say(unit.toString());
        }
      }
    } catch (RuntimeException failure) {
      say("failed " + failure.getMessage() + ": " + failure.getCause());
    }
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  /** Starts one, through a shell if there is something to set up first. */
  static Process start(Path output, int samples, String... shell) throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    List<String> command =
        new ArrayList<>(
            List.of(
                java.toString(),
                "-XX:-UsePerfData",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path", "").replace("\"", ""),
                TestingWriter.class.getName(),
                output.toString(),
                Integer.toString(samples)));
    if (shell.length > 0) {
      command.addAll(0, Stream.of("sh", "-c", shell[0] + "; exec \"$0\" \"$@\"").toList());
    }
    return new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .directory(new File("."))
        .start();
  }

  /** What it has said, to the end. */
  static List<String> lines(Process process) throws IOException {
    try (BufferedReader reader = process.inputReader()) {
      return reader.lines().toList();
    }
  }
}
