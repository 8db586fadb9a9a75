package dev.fairlead.cli;

import dev.fairlead.device.Device;
import dev.fairlead.device.Discovery;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the devices that Fairlead finds, and what is there but cannot be used. */
@Command(
    name = "devices",
    description = "List the devices, and why something present cannot be used.",
    mixinStandardHelpOptions = true)
final class DevicesCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Option(
      names = "--devices",
      paramLabel = "TERMS",
      defaultValue = "all,cpu",
      description =
          "Which to look for: all, cpu, cpu:4, cpu:2,cpu:1*0.25 (default: ${DEFAULT-VALUE}).")
  private String terms;

  @Option(names = "--json", description = "Print one JSON object on one line.")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields before it runs a command
  DevicesCommand() {}

  @Override
  public void run() {
    Discovery discovery = Discovery.find(terms);
    PrintWriter out = spec.commandLine().getOut();
    out.println(json ? json(discovery) : table(discovery));
    out.flush();
  }

  private static String table(Discovery discovery) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            "%-12s %-6s %-7s %7s %6s %12s  %s%n",
            "ID", "KIND", "VENDOR", "WEIGHT", "SLOTS", "MEMORY", "NAME"));
    for (Device device : discovery.devices()) {
      text.append(
          String.format(
              Locale.ROOT,
              "%-12s %-6s %-7s %7.2f %6d %8d MiB  %s%n",
              device.id(),
              device.kind(),
              device.vendor(),
              device.weight(),
              device.slots(),
              device.memoryBytes() >> 20,
              device.name()));
    }
    discovery
        .problems()
        .forEach(problem -> text.append("Cannot be used: ").append(problem).append('\n'));
    return text.toString().stripTrailing();
  }

  private static String json(Discovery discovery) {
    String devices =
        discovery.devices().stream()
            .map(device ->
                String.format(
                    Locale.ROOT,
                    "{\"id\":%s,\"kind\":%s,\"vendor\":%s,\"name\":%s,\"weight\":%s,\"slots\":%d,"
                        + "\"memoryBytes\":%d,\"capabilities\":%s}",
                    Json.string(device.id().value()),
                    Json.string(device.kind().toString()),
                    Json.string(device.vendor().toString()),
                    Json.string(device.name()),
                    device.weight(),
                    device.slots(),
                    device.memoryBytes(),
                    device.features().capabilities().stream()
                        .map(capability -> Json.string(capability.name()))
                        .sorted()
                        .collect(Collectors.joining(",", "[", "]"))))
            .collect(Collectors.joining(",", "[", "]"));
    String problems =
        discovery.problems().stream()
            .map(problem ->
                "{\"what\":%s,\"reason\":%s}"
                    .formatted(Json.string(problem.what()), Json.string(problem.reason())))
            .collect(Collectors.joining(",", "[", "]"));
    return "{\"devices\":" + devices + ",\"problems\":" + problems + "}";
  }
}
