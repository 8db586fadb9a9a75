package dev.fairlead.doctor.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Processes of the same program, in which drivers are loaded and may do as they like. */
public final class ChildJvm {
  private static final List<String> OPTIONS =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-Xmx512m",
          "-XX:-UsePerfData",
          "-XX:-CreateCoredumpOnCrash",
          "-XX:+SuppressFatalErrorMessage",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow");

  /** Properties that say where drivers and caches are. */
  private static final List<String> HANDED_ON = List.of("fairlead.", "org.bytedeco.");

  private static final String TEMPORARY = "java.io.tmpdir";

  private ChildJvm() {}

  /** Starts the program of a class; what native code prints is lost. */
  public static Process start(Class<?> main, List<String> arguments) throws IOException {
    return start(main, arguments, Map.of(), Path.of(System.getProperty(TEMPORARY)));
  }

  /**
   * The same with more in its environment.
   *
   * @param temporary where its temporary files are, for whoever ends it to remove
   */
  public static Process start(
      Class<?> main, List<String> arguments, Map<String, String> environment, Path temporary)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(OPTIONS);
    command.add("-D%s=%s".formatted(TEMPORARY, temporary));
    System.getProperties()
        .forEach((name, value) -> {
          if (HANDED_ON.stream().anyMatch(String.valueOf(name)::startsWith)) {
            command.add("-D%s=%s".formatted(name, value));
          }
        });
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    return process;
  }
}
