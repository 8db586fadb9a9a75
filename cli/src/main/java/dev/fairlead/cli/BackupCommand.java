package dev.fairlead.cli;

import dev.fairlead.service.serve.Backup;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Copies what a service keeps, while it runs. */
@Command(
    name = "backup",
    description = "Copy what a service keeps into a ZIP file, also while it runs.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class BackupCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "That of the service (default: the same as for serve).")
  private @Nullable Path data;

  @Option(
      names = "--to",
      paramLabel = "FILE",
      required = true,
      description = "The ZIP file, which is replaced if it is there.")
  private Path to;

  @Option(names = "--packages", description = "Packages and uploads as well, which may be large.")
  private boolean packages;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields before it runs a command
  BackupCommand() {}

  @Override
  public void run() {
    Path directory = data == null ? StateDirectory.file("service", "") : data;
    try {
      long files = Backup.make(directory, to, packages);
      spec.commandLine().getOut().println("%s has %,d files".formatted(to, files));
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), String.valueOf(wrong.getMessage()), wrong);
    }
  }
}
