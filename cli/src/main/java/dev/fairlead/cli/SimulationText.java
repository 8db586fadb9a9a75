package dev.fairlead.cli;

import dev.fairlead.media.json.JsonEvents;
import dev.fairlead.simulator.engine.Scenario;
import dev.fairlead.simulator.report.Figures;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What came of a simulation, for people and for programs. */
final class SimulationText {
  private static final int MOST_KINDS = 4;

  private SimulationText() {}

  static String table(List<Figures> all) {
    Table table =
        new Table(
            "<>>>>>>><",
            "POLICY",
            "MAKESPAN÷BOUND",
            "MAKESPAN",
            "MEAN",
            "P95",
            "P99",
            "MOVED",
            "LOST",
            "BUSY");
    for (Figures each : all) {
      table.row(
          each.policy(),
          String.format(Locale.ROOT, "%.3f", each.makespanOverBound()),
          seconds(each.makespanSeconds()),
          seconds(each.times().mean()),
          seconds(each.times().p95()),
          seconds(each.times().p99()),
          String.valueOf(each.moved()),
          String.valueOf(each.lost()),
          busy(each));
    }
    return table.toString();
  }

  static String seconds(double value) {
    if (!Double.isFinite(value)) {
      return "–";
    }
    String format = value >= 1000 ? "%,.0f s" : value >= 10 ? "%.1f s" : "%.3f s";
    return String.format(Locale.ROOT, format, value);
  }

  /** The busy shares of the first kinds of devices. */
  static String busy(Figures figures) {
    String shown =
        figures.busyShares().stream()
            .limit(MOST_KINDS)
            .map(each ->
                String.format(Locale.ROOT, "%s %.0f %%", each.devices(), 100 * each.share()))
            .collect(Collectors.joining(", "));
    return figures.busyShares().size() > MOST_KINDS ? shown + ", …" : shown;
  }

  /** {@code took}: how many seconds each policy took to simulate. */
  static String json(Scenario scenario, List<Figures> all, List<Double> took) {
    ObjectNode root = JsonEvents.JSON.createObjectNode();
    root.put("workload", scenario.workload().name())
        .put("devices", scenario.fleet().size())
        .put("seed", scenario.seed());
    number(root, "boundSeconds", all.getFirst().boundSeconds());
    ArrayNode policies = root.putArray("policies");
    for (int i = 0; i < all.size(); i++) {
      Figures each = all.get(i);
      ObjectNode node = policies.addObject().put("name", each.policy());
      number(node, "makespanSeconds", each.makespanSeconds());
      number(node, "makespanOverBound", each.makespanOverBound());
      number(node, "meanSeconds", each.times().mean());
      number(node, "p95Seconds", each.times().p95());
      number(node, "p99Seconds", each.times().p99());
      node.put("done", each.done())
          .put("moved", each.moved())
          .put("lost", each.lost())
          .put("events", each.events());
      number(node, "eventsPerSecond", each.events() / took.get(i));
      ObjectNode busy = node.putObject("busyShares");
      each.busyShares().forEach(share -> number(busy, share.devices(), share.share()));
    }
    return JsonEvents.JSON.writeValueAsString(root);
  }

  /** JSON has no word for what is not a number. */
  private static void number(ObjectNode node, String name, double value) {
    if (Double.isFinite(value)) {
      node.put(name, value);
    } else {
      node.putNull(name);
    }
  }
}
