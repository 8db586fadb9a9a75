package dev.fairlead.dispatch;

import dev.fairlead.device.Device;
import dev.fairlead.outcome.FailedAttempt;
import dev.fairlead.outcome.TaskException;
import dev.fairlead.range.Range;
import java.util.List;
import java.util.Map;

/**
 * What became of an index range: how much each device did, and the parts that no device could do,
 * with their reasons.
 */
public record RangeReport(long total, Map<Device, Share> shares, List<Condemned> condemned) {

  /** What one device did: indices completed, parts, and how often it stole from others. */
  public record Share(long indices, long parts, long steals) {}

  /** A part that failed wherever it was tried. */
  public record Condemned(Range part, List<FailedAttempt> attempts) {}

  public RangeReport {
    shares = Map.copyOf(shares);
    condemned = List.copyOf(condemned);
  }

  public boolean isComplete() {
    return condemned.isEmpty();
  }

  /** This report, or an exception that names what could not be done. */
  public RangeReport orThrow() {
    if (!condemned.isEmpty()) {
      Condemned first = condemned.getFirst();
      throw new TaskException.Condemned(
          first.attempts().isEmpty()
              ? new IllegalStateException("no device is left for " + first.part())
              : first.attempts().getLast().cause(),
          condemned.stream().flatMap(each -> each.attempts().stream()).toList());
    }
    return this;
  }
}
