package dev.fairlead.cli;

import dev.fairlead.media.json.JsonEvents;
import dev.fairlead.policy.Policies;
import dev.fairlead.simulator.engine.Scenario;
import dev.fairlead.simulator.report.Figures;
import dev.fairlead.simulator.rule.TenantTally;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What came of a simulation, for people and for programs. */
final class SimulationText {
  private static final int MOST_KINDS = 4;

  /** The workloads that wait from the beginning. */
  private static final List<String> ALL_AT_ONCE = List.of("ladder", "batch", "trace");

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

  /** What tenants had, a table for each policy; nothing where there are none. */
  static String tenants(List<Figures> all) {
    StringBuilder text = new StringBuilder();
    for (Figures each : all) {
      if (!each.tenants().isEmpty()) {
        Table table =
            new Table(
                "<>>>>>>", "TENANT", "WEIGHT", "DUE", "SHARE", "OFF BY", "LONGEST WAIT", "JOBS");
        for (TenantTally.Share share : each.tenants()) {
          table.row(
              share.tenant().name(),
              String.valueOf(share.tenant().weight()),
              percent("%.2f %%", share.dueShare()),
              percent("%.2f %%", share.share()),
              percent("%+.2f %%", share.deviation()),
              seconds(share.longestWaitSeconds()),
              String.valueOf(share.jobsDone()));
        }
        text.append('\n')
            .append(each.policy())
            .append(", while all tenants had units waiting:")
            .append('\n')
            .append(table);
      }
    }
    return text.toString();
  }

  private static String percent(String format, double part) {
    return String.format(Locale.ROOT, format, 100 * part);
  }

  /** {@code 1 simulated device}, {@code 10,000 simulated devices}. */
  static String devices(Scenario scenario) {
    int devices = scenario.fleet().size();
    return String.format(Locale.ROOT, "%,d simulated device%s", devices, devices == 1 ? "" : "s");
  }

  /** Which rows are equal, and why: a sentence for each set of them. */
  static List<String> equalRows(Scenario scenario, List<Figures> all) {
    return all.stream()
        .collect(
            Collectors.groupingBy(
                SimulationText::measured,
                LinkedHashMap::new,
                Collectors.mapping(Figures::policy, Collectors.toList())))
        .values()
        .stream()
        .filter(names -> names.size() > 1)
        .map(names -> "%s have equal rows: %s.".formatted(listed(names), why(scenario, names)))
        .toList();
  }

  private static String why(Scenario scenario, List<String> policies) {
    boolean placed = Policies.names().containsAll(policies);
    return placed && ALL_AT_ONCE.contains(scenario.workload().name())
        ? "all work waits from the beginning, and a device that is free takes it from the queues of"
            + " others, however it was placed"
        : "what they choose differently never came up on this fleet with this work";
  }

  private static List<Object> measured(Figures figures) {
    return List.of(
        figures.makespanSeconds(),
        figures.times(),
        figures.busyShares(),
        figures.moved(),
        figures.lost());
  }

  private static String listed(List<String> names) {
    return String.join(", ", names.subList(0, names.size() - 1)) + " and " + names.getLast();
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
      tenants(node, each.tenants());
    }
    return JsonEvents.JSON.writeValueAsString(root);
  }

  private static void tenants(ObjectNode node, List<TenantTally.Share> shares) {
    if (shares.isEmpty()) {
      return;
    }
    number(
        node,
        "worstDeviation",
        shares.stream().mapToDouble(share -> Math.abs(share.deviation())).max().orElseThrow());
    ArrayNode tenants = node.putArray("tenants");
    for (TenantTally.Share share : shares) {
      ObjectNode tenant = tenants.addObject().put("name", share.tenant().name());
      number(tenant, "weight", share.tenant().weight());
      number(tenant, "dueShare", share.dueShare());
      number(tenant, "share", share.share());
      number(tenant, "deviation", share.deviation());
      number(tenant, "longestWaitSeconds", share.longestWaitSeconds());
      tenant.put("jobsDone", share.jobsDone());
    }
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
