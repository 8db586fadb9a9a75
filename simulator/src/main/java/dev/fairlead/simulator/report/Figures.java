package dev.fairlead.simulator.report;

import dev.fairlead.simulator.engine.Tally;
import dev.fairlead.simulator.fleet.FleetSpec;
import dev.fairlead.simulator.rule.TenantTally;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** What came of a workload under one policy. Times are times in system, from coming to ending. */
public record Figures(
    String policy,
    double makespanSeconds,
    double boundSeconds,
    Times times,
    List<BusyShare> busyShares,
    List<TenantTally.Share> tenants,
    long done,
    long moved,
    long lost,
    long events) {
  /** Mean and percentiles; the curve has those from 0 to 99 %. */
  public record Times(double mean, double p95, double p99, List<Double> curve) {
    public Times {
      curve = List.copyOf(curve);
    }

    static Times of(Tally tally) {
      return new Times(
          tally.meanSeconds(),
          tally.percentile(0.95),
          tally.percentile(0.99),
          IntStream.range(0, 100).mapToObj(part -> tally.percentile(part / 100.0)).toList());
    }
  }

  /** The mean share of the time during which devices of one kind were busy. */
  public record BusyShare(String devices, double share) {}

  public Figures {
    busyShares = List.copyOf(busyShares);
    tenants = List.copyOf(tenants);
  }

  static Figures of(String policy, Tally tally, FleetSpec fleet) {
    Map<String, List<Double>> kinds = new LinkedHashMap<>();
    for (int device = 0; device < fleet.size(); device++) {
      String name = fleet.devices().get(device).name();
      kinds
          .computeIfAbsent(name.replaceFirst("-\\d+$", ""), _ -> new ArrayList<>())
          .add(tally.busyShare(device));
    }
    List<BusyShare> shares = new ArrayList<>();
    kinds.forEach((name, each) ->
        shares.add(
            new BusyShare(
                name, each.stream().mapToDouble(Double::doubleValue).average().orElseThrow())));
    return new Figures(
        policy,
        tally.makespanSeconds(),
        tally.boundSeconds(),
        Times.of(tally),
        shares,
        List.of(),
        tally.done(),
        tally.moved(),
        tally.lost(),
        tally.events());
  }

  /** The same with what came of tenants. */
  Figures with(List<TenantTally.Share> value) {
    return new Figures(
        policy, makespanSeconds, boundSeconds, times, busyShares, value, done, moved, lost, events);
  }

  /** NaN where nothing was done, or could not all be done. */
  public double makespanOverBound() {
    return done == 0 || Double.isInfinite(boundSeconds)
        ? Double.NaN
        : makespanSeconds / boundSeconds;
  }
}
