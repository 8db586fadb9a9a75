package dev.fairlead.pool;

import dev.fairlead.device.Resources;
import java.util.HashMap;
import java.util.Map;

/** Named resources that all devices of the host share. Thread-safe. */
final class HostLimits {
  private final Map<String, Long> limits;
  private final Map<String, Long> taken = new HashMap<>();

  HostLimits(Map<String, Long> limits) {
    this.limits = limits;
  }

  boolean knows(String name) {
    return limits.containsKey(name);
  }

  long limit(String name) {
    return limits.getOrDefault(name, 0L);
  }

  /** Whether a demand for these has anything to do with the host. */
  boolean concerns(Resources resources) {
    return !limits.isEmpty() && resources.named().keySet().stream().anyMatch(limits::containsKey);
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

  synchronized boolean take(Resources resources) {
    if (!has(resources)) {
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

  synchronized Map<String, Long> taken() {
    return Map.copyOf(taken);
  }
}
