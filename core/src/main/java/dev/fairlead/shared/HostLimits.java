package dev.fairlead.shared;

import dev.fairlead.device.Resources;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Named resources that all devices of the host share. Thread-safe.
 *
 * <p>A demand that waits and lacks nothing but some of them has a claim to them: newcomers do not
 * pass it, on whichever device. The waiting room says which are claimed.
 */
public final class HostLimits {
  private final Map<String, Long> limits;
  private final Map<String, Long> taken = new HashMap<>();
  private volatile Set<String> claimed = Set.of();

  public HostLimits(Map<String, Long> limits) {
    this.limits = limits;
  }

  public boolean knows(String name) {
    return limits.containsKey(name);
  }

  public Set<String> names() {
    return limits.keySet();
  }

  public long limit(String name) {
    return limits.getOrDefault(name, 0L);
  }

  /** Whether a demand for these has anything to do with the host. */
  public boolean concerns(Resources resources) {
    return !limits.isEmpty() && resources.named().keySet().stream().anyMatch(limits::containsKey);
  }

  /** Says which resources demands wait for that lack nothing else. */
  public void claim(Set<String> names) {
    claimed = names;
  }

  public boolean areClaimed() {
    return !claimed.isEmpty();
  }

  /**
   * Whether so much is there for the taking.
   *
   * @param waited whether the demand has waited, so that claims are weighed elsewhere
   */
  public boolean has(Resources resources, boolean waited) {
    Set<String> names = claimed;
    return (waited || names.isEmpty() || Collections.disjoint(names, resources.named().keySet()))
        && has(resources);
  }

  public synchronized boolean has(Resources resources) {
    for (Map.Entry<String, Long> each : resources.named().entrySet()) {
      Long limit = limits.get(each.getKey());
      if (limit != null && each.getValue() > limit - taken.getOrDefault(each.getKey(), 0L)) {
        return false;
      }
    }
    return true;
  }

  public synchronized boolean take(Resources resources, boolean waited) {
    if (!has(resources, waited)) {
      return false;
    }
    change(resources, 1);
    return true;
  }

  public synchronized void give(Resources resources) {
    change(resources, -1);
  }

  private void change(Resources resources, int sign) {
    resources
        .named()
        .forEach((name, amount) -> {
          if (limits.containsKey(name)) {
            taken.merge(name, sign * amount, Long::sum);
          }
        });
  }

  /** What is free of a resource that all share. */
  public synchronized long free(String name) {
    return limit(name) - taken.getOrDefault(name, 0L);
  }

  synchronized Map<String, Long> taken() {
    return Map.copyOf(taken);
  }
}
