package dev.fairlead.cli;

import dev.fairlead.benchmarks.DispatchBench;
import dev.fairlead.benchmarks.DispatchBench.Figures;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/** Measures what it costs to place, to reserve, to submit. */
@Command(
    name = "dispatch",
    description = {
      "Measure what it costs to choose, reserve and release a device, and to submit a " + "task.",
      "Takes some minutes. Quiet machines give steadier figures."
    },
    mixinStandardHelpOptions = true)
final class BenchDispatchCommand extends BenchRun {
  BenchDispatchCommand() {}

  @Override
  Answer measure(int rounds, Consumer<String> progress) {
    Figures figures = DispatchBench.run(rounds, progress);
    return new Answer(json(figures), table(figures));
  }

  static String json(Figures f) {
    return "{\"leaseNs\":%s,\"mutexNs\":%s,\"leaseTimedNs\":%s,\"mutexTimedNs\":%s,\"bytesPerOp\":%s,"
            .formatted(
                object(f.leaseNs()),
                object(f.mutexNs()),
                object(f.leaseTimedNs()),
                object(f.mutexTimedNs()),
                number(f.bytesPerOp()))
        + "\"submitNs\":%s,\"forkJoinNs\":%s,\"submitOverForkJoin\":%s,"
            .formatted(number(f.submitNs()), number(f.forkJoinNs()), ratio(f.submitOverForkJoin()))
        + "\"growth\":%s,\"growthBusy\":%s,\"coldDistributeOverBound\":%s}"
            .formatted(object(f.growth()), object(f.growthBusy()), ratio(f.worstCold()));
  }

  private static String object(Map<Integer, Double> figures) {
    return figures.entrySet().stream()
        .map(entry -> "\"" + entry.getKey() + "\":" + number(entry.getValue()))
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static String ratio(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  static String table(Figures f) {
    StringBuilder text = new StringBuilder();
    text.append("Choose, reserve and release over 8 devices, ns per lease and thread\n");
    text.append(row("", "fairlead", "a mutex per device", "times faster"));
    f.leaseNs()
        .forEach((threads, ns) ->
            text.append(against(threads + " thread, no clock", ns, f.mutexNs(), threads)));
    f.leaseTimedNs()
        .forEach((threads, ns) ->
            text.append(against(threads + " thread, timed", ns, f.mutexTimedNs(), threads)));
    text.append("Bytes allocated per lease: ").append(number(f.bytesPerOp())).append("\n\n");
    text.append("Growth with the number of devices, ns per lease\n");
    text.append(row("", "all idle", "all busy", ""));
    f.growth()
        .forEach((devices, ns) ->
            text.append(
                row(
                    devices + " devices",
                    number(ns),
                    number(f.growthBusy().getOrDefault(devices, Double.NaN)),
                    "")));
    text.append("\nSubmit empty tasks, ns per task\n");
    text.append(row("", "fairlead", "ForkJoinPool", "times as long"));
    text.append(
        row(
            "2 devices",
            number(f.submitNs()),
            number(f.forkJoinNs()),
            ratio(f.submitOverForkJoin())));
    text.append("\n100 equal items on devices 1:10, nothing known of them, over the bound\n");
    f.coldDistributeOverBound()
        .forEach((policy, over) -> text.append(row(policy, ratio(over), "", "")));
    return text.toString().stripTrailing();
  }

  private static String against(
      String what, double ours, Map<Integer, Double> theirs, int threads) {
    double other = theirs.getOrDefault(threads, Double.NaN);
    return row(what, number(ours), number(other), number(other / ours));
  }

  private static String row(String what, String one, String two, String three) {
    return String.format(Locale.ROOT, "  %-20s %12s %20s %14s%n", what, one, two, three);
  }
}
