package dev.fairlead.doctor.check;

import dev.fairlead.doctor.host.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A process that runs {@link Hazard}; it is ended with this object at the latest. */
final class HazardProcess implements AutoCloseable {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

  private final Process process;
  private final Path file;

  private HazardProcess(Process process, Path file) {
    this.process = process;
    this.file = file;
  }

  static HazardProcess start(String what, List<String> labels) throws IOException {
    Path file = Files.createTempFile("fairlead-hazard", ".txt");
    List<String> arguments = new ArrayList<>(List.of(what, file.toString()));
    arguments.addAll(labels);
    return new HazardProcess(ChildJvm.start(Hazard.class, arguments), file);
  }

  /** What it has said that begins so; waits for it, for as long as the process lives. */
  Optional<String> await(String beginning, Duration patience)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    while (true) {
      boolean over = !process.isAlive() || System.nanoTime() - end > 0;
      Optional<String> said =
          Files.readAllLines(file).stream()
              .filter(line -> line.startsWith(beginning))
              .map(line -> line.substring(beginning.length()))
              .findFirst();
      if (said.isPresent() || over) {
        return said;
      }
      Thread.sleep(LOOK_AGAIN);
    }
  }

  /** Waits for its end; false if it has not come. */
  boolean ends(Duration patience) throws InterruptedException {
    return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
  }

  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    Files.deleteIfExists(file);
  }
}
