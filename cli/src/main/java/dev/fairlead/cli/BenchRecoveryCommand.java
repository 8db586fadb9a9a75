package dev.fairlead.cli;

import dev.fairlead.benchmarks.RecoveryBench;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Counts what kills of a server cost its jobs. */
@Command(
    name = "recovery",
    description =
        "Kill a server at random while it has jobs, start it again, and look at what became of"
            + " them.",
    mixinStandardHelpOptions = true)
final class BenchRecoveryCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--kills",
      paramLabel = "N",
      defaultValue = "50",
      description = "How often (default: ${DEFAULT-VALUE}).")
  private int kills;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Of the moments of kills (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(names = "--json", description = "Print one JSON object on one line.")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields before it runs a command
  BenchRecoveryCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (kills < 1) {
      throw new ParameterException(spec.commandLine(), "--kills is at least one");
    }
    PrintWriter err = spec.commandLine().getErr();
    RecoveryBench.Figures f =
        RecoveryBench.run(
            ThisProgram.command(),
            kills,
            seed,
            line -> {
              err.println(line);
              err.flush();
            });
    String form =
        json
            ? "{\"kills\":%d,\"jobs\":%d,\"lost\":%d,\"ranTwice\":%d,\"identical\":%d}"
            : "%d kills of a server\n  jobs       %d\n  lost       %d\n  ran twice  %d\n  identical  %d";
    PrintWriter out = spec.commandLine().getOut();
    out.println(form.formatted(f.kills(), f.jobs(), f.lost(), f.ranTwice(), f.identical()));
    out.flush();
    return f.lost() == 0 && f.ranTwice() == 0 && f.identical() == f.jobs() ? 0 : 1;
  }
}
