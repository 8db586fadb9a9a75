package dev.fairlead.benchmarks;

import dev.fairlead.media.json.JsonEvents;
import dev.fairlead.service.client.ServiceAddress;
import dev.fairlead.service.client.ServiceClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A service in a process of its own, on the processor's lanes; what it says goes to a file. */
final class ServeProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long LOOK_MILLIS = 50;
  private static final int TO_END_SECONDS = 15;

  private final Process process;
  private final Path said;
  private final ServiceAddress address;

  private ServeProcess(Process process, Path said, ServiceAddress address) {
    this.process = process;
    this.said = said;
    this.address = address;
  }

  /**
   * Starts one and waits until it listens.
   *
   * @param fairlead the command that runs fairlead
   * @param directory where it keeps its data; what lies below it can be named as input
   */
  static ServeProcess start(List<String> fairlead, Path directory, String... more)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(fairlead);
    command.addAll(List.of("serve", "--listen", "127.0.0.1:0", "--json", "--devices", "cpu"));
    command.addAll(List.of("--min-free", "1m", "--root", directory.toString(), "--data"));
    command.add(directory.resolve("data").toString());
    command.addAll(List.of(more));
    Path said = directory.resolve("serve.log");
    Files.deleteIfExists(said);
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(said.toFile())
            .start();
    try {
      return new ServeProcess(process, said, ServiceAddress.parse(url(process, said)));
    } catch (IOException | InterruptedException | RuntimeException failure) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      throw failure;
    }
  }

  /** What its first line of JSON says. */
  private static String url(Process process, Path said) throws IOException, InterruptedException {
    long begun = System.nanoTime();
    while (process.isAlive() && System.nanoTime() - begun < PATIENCE.toNanos()) {
      for (String line : Files.readAllLines(said)) {
        if (line.startsWith("{") && line.endsWith("}")) {
          return JsonEvents.JSON.readTree(line).path("url").asString("");
        }
      }
      Thread.sleep(LOOK_MILLIS);
    }
    throw new IOException("serve did not start: " + Files.readString(said));
  }

  Process process() {
    return process;
  }

  ServiceAddress address() {
    return address;
  }

  ServiceClient client() {
    return ServiceClient.open(address, Optional.empty(), PATIENCE);
  }

  /** What it has said beside its first line. */
  String complaints() throws IOException {
    List<String> lines = Files.readAllLines(said);
    return String.join("\n", lines.stream().filter(line -> !line.startsWith("{")).toList());
  }

  @Override
  public void close() {
    List<ProcessHandle> workers = process.descendants().toList();
    process.destroy();
    try {
      process.waitFor(TO_END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    }
    workers.forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
