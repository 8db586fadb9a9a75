package dev.fairlead.stats;

import dev.fairlead.device.DeviceId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The curves of a {@link CostModel} by kind and device, within its bound. Thread-safe; finding a
 * curve takes no lock.
 *
 * <p>Age is counted in kinds that were added. A kind that is used is stamped with the latest age,
 * and only if it has another stamp: as long as no kinds are added, no thread writes. Beyond the
 * bound the kinds with the oldest stamps go, a tenth at a time, so that going through them all is
 * paid for by the thousand additions that follow. A kind goes whole, since devices are compared by
 * it.
 *
 * <p>Curves are added and kinds removed under the lock of their kind's bin, so that none is added
 * to a kind that has gone.
 */
final class CostKinds {
  /** Receives one pair. */
  interface Visitor {
    void visit(DeviceId device, String kind, CostCurve curve);
  }

  private static final class Kind {
    private final ConcurrentHashMap<DeviceId, CostCurve> curves = new ConcurrentHashMap<>(4);
    private volatile long used;
  }

  /** A kind's name and its stamp at the moment of looking. */
  private record Stamp(String kind, long used) {}

  private final ConcurrentHashMap<String, Kind> kinds = new ConcurrentHashMap<>();
  private final AtomicLong age = new AtomicLong();
  private final AtomicInteger count = new AtomicInteger();

  @Nullable CostCurve find(DeviceId device, String kind) {
    Kind known = kinds.get(kind);
    if (known == null) {
      return null;
    }
    stamp(known);
    return known.curves.get(device);
  }

  private void stamp(Kind kind) {
    long now = age.get();
    if (kind.used != now) {
      kind.used = now;
    }
  }

  /** Adds a curve where there is none; answers the one that is there then. */
  CostCurve add(DeviceId device, String kind, CostCurve curve) {
    CostCurve[] there = {curve};
    kinds.compute(
        kind,
        (_, known) -> {
          Kind home = known == null ? new Kind() : known;
          if (known == null) {
            age.incrementAndGet();
          }
          stamp(home);
          CostCurve before = home.curves.putIfAbsent(device, curve);
          if (before == null) {
            count.incrementAndGet();
          } else {
            there[0] = before;
          }
          return home;
        });
    if (isOver(count.get(), kinds.size())) {
      trim();
    }
    return there[0];
  }

  private static boolean isOver(int curves, int kinds) {
    return curves > CostModel.MOST_CURVES && kinds > CostModel.LEAST_KINDS;
  }

  private synchronized void trim() {
    if (!isOver(count.get(), kinds.size())) {
      return;
    }
    List<Stamp> oldest = new ArrayList<>(kinds.size());
    kinds.forEach((name, kind) -> oldest.add(new Stamp(name, kind.used)));
    oldest.sort(Comparator.comparingLong(Stamp::used));
    for (Stamp each : oldest) {
      if (count.get() <= CostModel.MOST_CURVES * 9 / 10
          || kinds.size() <= CostModel.LEAST_KINDS * 9 / 10) {
        return;
      }
      kinds.computeIfPresent(
          each.kind,
          (_, kind) -> {
            if (kind.used != each.used) {
              return kind;
            }
            count.addAndGet(-kind.curves.size());
            return null;
          });
    }
  }

  void remove(DeviceId device) {
    for (String name : kinds.keySet()) {
      kinds.computeIfPresent(
          name,
          (_, kind) -> {
            if (kind.curves.remove(device) != null) {
              count.decrementAndGet();
            }
            return kind.curves.isEmpty() ? null : kind;
          });
    }
  }

  void forEach(Visitor visitor) {
    kinds.forEach(
        (name, kind) -> kind.curves.forEach((device, curve) -> visitor.visit(device, name, curve)));
  }
}
