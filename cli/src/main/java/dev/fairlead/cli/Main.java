package dev.fairlead.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The {@code fairlead} command.
 *
 * <p>Exit codes: 0 done, 1 failed, 2 wrong usage; 3 to 6 and 130 as {@link TranscodeFailures} says.
 * Results go to standard output, all else to standard error.
 */
@Command(
    name = "fairlead",
    description = "Keeps every GPU of this machine busy.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      DemoCommand.class,
      TranscodeCommand.class,
      ServeCommand.class,
      ListJobsCommand.class,
      JobCommand.class,
      TokenCommand.class,
      BackupCommand.class,
      ProbeCommand.class,
      DevicesCommand.class,
      DoctorCommand.class,
      SimulateCommand.class,
      ModelCommand.class,
      BenchCommand.class,
      HelpCommand.class
    })
public final class Main implements Runnable {
  /** Picocli takes no less. */
  private static final int NARROWEST_HELP = 55;

  /** Longer lines are hard to read. */
  private static final int WIDEST_HELP = 120;

  @Spec private CommandSpec spec;

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "Print the stack trace of an error.")
  private boolean verbose;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields before it runs a command
  private Main() {}

  /** Runs the command that {@code args} name and ends the JVM with its exit code. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** The command and its subcommands, with errors printed by {@link Failures}. */
  static CommandLine commandLine() {
    Main main = new Main();
    Failures failures = new Failures(() -> main.verbose);
    return new CommandLine(main)
        .setUsageHelpWidth(Math.clamp(Displays.window().columns(), NARROWEST_HELP, WIDEST_HELP))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionStrategy(failures::runLast)
        .setParameterExceptionHandler(failures)
        .setExecutionExceptionHandler(failures);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "No command is given");
  }
}
