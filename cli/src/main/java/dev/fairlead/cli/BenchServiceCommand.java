package dev.fairlead.cli;

import dev.fairlead.benchmarks.ServiceBench;
import java.io.IOException;
import java.util.Locale;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures a service under load. */
@Command(
    name = "service",
    description = {
      "Fill a service with jobs and clients, and see whether it still answers.",
      "Takes some minutes. Quiet machines give steadier figures."
    },
    mixinStandardHelpOptions = true)
final class BenchServiceCommand extends BenchRun {
  private static final double HEAP_GOAL = 1.2;

  @Option(
      names = "--jobs",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Jobs that wait or run (default: ${DEFAULT-VALUE}).")
  private int jobs;

  @Option(
      names = "--clients",
      paramLabel = "N",
      defaultValue = "200",
      description = "Clients that follow all events (default: ${DEFAULT-VALUE}).")
  private int clients;

  BenchServiceCommand() {}

  @Override
  Answer measure(int rounds, Consumer<String> progress) throws IOException, InterruptedException {
    ServiceBench.Figures figures = ServiceBench.run(ThisProgram.command(), jobs, clients, progress);
    return new Answer(json(figures), table(figures), figures.wrong());
  }

  static String json(ServiceBench.Figures f) {
    return String.format(
        Locale.ROOT,
        "{\"jobs\":%d,\"sseClients\":%d,\"failed\":%d,\"eventsLost\":%d,\"events\":%d,"
            + "\"p99IdleMillis\":%.2f,\"p99BusyMillis\":%.2f,\"limitMillis\":%.2f,"
            + "\"stoppedClients\":%d,\"p99StoppedMillis\":%.2f,\"heapGrowth\":%.3f}",
        f.jobs(),
        f.sseClients(),
        f.failed(),
        f.eventsLost(),
        f.events(),
        f.p99IdleMillis(),
        f.p99BusyMillis(),
        f.limitMillis(),
        f.stoppedClients(),
        f.p99StoppedMillis(),
        f.heapGrowth());
  }

  static String table(ServiceBench.Figures f) {
    return String.format(
        Locale.ROOT,
        """
        A service with %d jobs and %d clients that follow all events
          failed   %d, and %d of %d events lost
          list     %.1f ms idle, %.1f ms busy, %.1f ms beside %d clients that do not read: %s %.0f
          heap     %.2f times as much in the tenth round as in the second: %s %.1f\
        """,
        f.jobs(),
        f.sseClients(),
        f.failed(),
        f.eventsLost(),
        f.events(),
        f.p99IdleMillis(),
        f.p99BusyMillis(),
        f.p99StoppedMillis(),
        f.stoppedClients(),
        verdict(Math.max(f.p99BusyMillis(), f.p99StoppedMillis()) <= f.limitMillis()),
        f.limitMillis(),
        f.heapGrowth(),
        verdict(f.heapGrowth() <= HEAP_GOAL),
        HEAP_GOAL);
  }

  private static String verdict(boolean reached) {
    return reached ? "within" : "more than";
  }
}
