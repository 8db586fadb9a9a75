package dev.fairlead.cli;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command that runs this program, for commands that measure whole runs of it. */
final class ThisProgram {
  /** By its name, since the main class knows all commands. */
  private static final String MAIN = ThisProgram.class.getPackageName() + ".Main";

  private ThisProgram() {}

  /** Its launcher, or else the JVM as it was started. */
  static List<String> command() {
    String launcher = System.getProperty("fairlead.launcher", "");
    if (!launcher.isEmpty()) {
      return List.of(launcher);
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN));
    return command;
  }
}
