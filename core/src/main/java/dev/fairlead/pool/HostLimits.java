package dev.fairlead.pool;

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
final class HostLimits {
  private final Map<String, Long> limits;
  private final Map<String, Long> taken = new HashMap<>();
  private volatile Set<String> claimed = Set.of();

  HostLimits(Map<String, Long> limits) {
    this.limits = limits;
  }

  boolean knows(String name) {
    return limits.containsKey(name);
  }

  Set<String> names() {
    return limits.keySet();
  }

  long limit(String name) {
    return limits.getOrDefault(name, 0L);
  }

  /** Whether a demand for these has anything to do with the host. */
  boolean concerns(Resources resources) {
    return !limits.isEmpty() && resources.named().keySet().stream().anyMatch(limits::containsKey);
  }

  /** Says which resources demands wait for that lack nothing else. */
  void claim(Set<String> names) {
    claimed = names;
  }

  boolean areClaimed() {
    return !claimed.isEmpty();
  }

  /**
   * Whether so much is there for the taking.
   *
   * @param waited whether the demand has waited, so that claims are weighed elsewhere
   */
  boolean has(Resources resources, boolean waited) {
    Set<String> names = claimed;
    return (waited || names.isEmpty() || Collections.disjoint(names, resources.named().keySet()))
        && has(resources);
  }

  synchronized boolean has(Resources resources) {
    for (Map.Entry<String, Long> each : resources.named().entrySet()) {
      Long limit = limits.get(each.getKey());
      if (limit != null && each.getValue() > limit - taken.getOrDefault(each.getKey(), 0L)) {
        return false;
      }
    }
    return true;
  }

  synchronized boolean take(Resources resources, boolean waited) {
    if (!has(resources, waited)) {
      return false;
    }
    change(resources, 1);
    return true;
  }

  synchronized void give(Resources resources) {
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
  synchronized long free(String name) {
    return limit(name) - taken.getOrDefault(name, 0L);
  }

  synchronized Map<String, Long> taken() {
    return Map.copyOf(taken);
  }
}
