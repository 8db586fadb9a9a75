package dev.fairlead.cli;

import dev.fairlead.media.json.JsonEvents;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A service in a process of its own, on two lanes. */
final class TestingServe implements AutoCloseable {
  private final Process process;
  private final String url;

  private TestingServe(Process process, String url) {
    this.process = process;
    this.url = url;
  }

  static TestingServe start(Path data, String listen, String... more) throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of("serve", "--listen", listen, "--devices", "cpu:2", "--json", "--data"));
    arguments.add(data.toString());
    arguments.addAll(List.of("--min-free", "1m"));
    arguments.addAll(List.of(more));
    Process process = process(arguments).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String line = process.inputReader().readLine();
    return new TestingServe(process, JsonEvents.JSON.readTree(line).get("url").asString());
  }

  /** The command in a process of its own. */
  static ProcessBuilder process(List<String> arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path", "").replace("\"", ""),
                Main.class.getName()));
    command.addAll(arguments);
    return new ProcessBuilder(command);
  }

  String url() {
    return url;
  }

  /** As HOST:PORT. */
  String address() {
    return url.substring("http://".length());
  }

  /** Ends it as a system does. */
  void stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(1, TimeUnit.MINUTES)) {
      throw new AssertionError("The service did not end");
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
