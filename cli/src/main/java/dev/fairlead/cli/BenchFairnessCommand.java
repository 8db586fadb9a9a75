package dev.fairlead.cli;

import dev.fairlead.benchmarks.FairnessBench;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures how fairly devices are shared, and how soon an urgent job is served. */
@Command(
    name = "fairness",
    description = {
      "Have two tenants share the processor's lanes three to one, then give one an urgent job.",
      "Takes about three minutes. Quiet machines give steadier figures."
    },
    mixinStandardHelpOptions = true)
final class BenchFairnessCommand extends BenchRun {
  private static final double GOAL = 0.05;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "40",
      description = "For how long they share in each round (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--http",
      description = "Have a service share them, which is asked and followed over HTTP.")
  private boolean http;

  BenchFairnessCommand() {}

  @Override
  Answer measure(int rounds, Consumer<String> progress) throws IOException, InterruptedException {
    FairnessBench.Figures figures =
        FairnessBench.run(
            rounds,
            seconds,
            http ? Optional.of(ThisProgram.command()) : Optional.empty(),
            progress);
    return new Answer(json(figures), table(figures));
  }

  static String json(FairnessBench.Figures f) {
    return String.format(
        Locale.ROOT,
        "{\"worstDeviation\":%.4f,\"shares\":{%s},\"othersStartedBeforeUrgent\":%d,\"lanes\":%d,"
            + "\"seconds\":%d,\"jobs\":%d}",
        f.worstDeviation(),
        f.shares().entrySet().stream()
            .map(each -> String.format(Locale.ROOT, "\"%s\":%.4f", each.getKey(), each.getValue()))
            .collect(Collectors.joining(",")),
        f.othersStartedBeforeUrgent(),
        f.lanes(),
        f.seconds(),
        f.jobs());
  }

  static String table(FairnessBench.Figures f) {
    return String.format(
        Locale.ROOT,
        """
        Two tenants, 3 to 1, for %d s with %d jobs on %d lanes
          had      %s
          off by   %.3f at the worst from second %d on: %s
          urgent   %d chunks of others were begun before its first: %s\
        """,
        f.seconds(),
        f.jobs(),
        f.lanes(),
        f.shares().entrySet().stream()
            .map(each -> String.format(Locale.ROOT, "%s %.3f", each.getKey(), each.getValue()))
            .collect(Collectors.joining(", ")),
        f.worstDeviation(),
        FairnessBench.FROM_SECONDS,
        verdict(f.worstDeviation() <= GOAL, String.format(Locale.ROOT, "%.2f", GOAL)),
        f.othersStartedBeforeUrgent(),
        verdict(f.othersStartedBeforeUrgent() <= f.lanes(), String.valueOf(f.lanes())));
  }

  private static String verdict(boolean reached, String goal) {
    return (reached ? "within " : "more than ") + goal;
  }
}
