package dev.fairlead.units;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.outcome.Outcome;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Counts what a unit queue does. Thread-safe. */
final class UnitCounters {
  private static final class Share {
    private final Device device;
    private long units;
    private long failures;
    private long clones;
    private long busyNanos;

    Share(Device device) {
      this.device = device;
    }
  }

  private static final class Group {
    private int open;
    private int running;
    private long done;
    private long condemned;
    private long cancelled;
  }

  private final Map<DeviceId, Share> shares = new LinkedHashMap<>();
  private final Group[] groups;

  UnitCounters(int count) {
    groups = new Group[count];
    Arrays.setAll(groups, any -> new Group());
  }

  synchronized void offered(UnitTask<?> unit) {
    groups[unit.group()].open++;
  }

  /** The unit has begun to run somewhere, or runs nowhere any more. */
  synchronized void runs(UnitTask<?> unit, boolean value) {
    groups[unit.group()].running += value ? 1 : -1;
  }

  synchronized void cloned(Device device) {
    share(device).clones++;
  }

  synchronized void busy(Device device, long nanos) {
    share(device).busyNanos += nanos;
  }

  synchronized void failed(Device device) {
    share(device).failures++;
  }

  synchronized void ended(UnitTask<?> unit, Outcome<?> outcome) {
    Group group = groups[unit.group()];
    group.open--;
    switch (outcome) {
      case Outcome.Succeeded<?> succeeded -> {
        group.done++;
        share(succeeded.device()).units++;
      }
      case Outcome.Failed<?> _ -> group.condemned++;
      case Outcome.Cancelled<?> _ -> group.cancelled++;
    }
  }

  private Share share(Device device) {
    return shares.computeIfAbsent(device.id(), any -> new Share(device));
  }

  synchronized ServiceReport report() {
    return new ServiceReport(
        shares.values().stream()
            .map(share ->
                new ServiceReport.DeviceShare(
                    share.device,
                    share.units,
                    share.failures,
                    share.clones,
                    Duration.ofNanos(share.busyNanos)))
            .toList(),
        Arrays.stream(groups)
            .map(group ->
                new ServiceReport.GroupShare(
                    group.open - group.running,
                    group.running,
                    group.done,
                    group.condemned,
                    group.cancelled))
            .toList());
  }
}
