package dev.fairlead.placing;

import dev.fairlead.device.Bytes;
import dev.fairlead.device.Device;
import dev.fairlead.device.Resources;
import dev.fairlead.ledger.Reach;
import dev.fairlead.policy.Affinity;
import dev.fairlead.policy.Demand;
import dev.fairlead.run.DeviceRuntime;
import dev.fairlead.shared.HostLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What never changes between a demand and the devices of a fleet: which of them could ever take it,
 * why the others could not, and the order that its affinity key prefers. Worked out once.
 */
final class DemandFit {
  private final Fleet fleet;
  private final Demand demand;
  private final boolean @Nullable [] hopes;
  private final boolean slotsOnly;
  private final boolean plain;
  private final int @Nullable [] preference;
  private final Reach reach;

  DemandFit(Fleet fleet, Demand demand) {
    this.fleet = fleet;
    this.demand = demand;
    Resources asked = demand.resources();
    this.slotsOnly =
        asked.slots() == 1
            && asked.memoryBytes() == 0
            && asked.named().isEmpty()
            && demand.eligibility().minimumFreeBytes() == 0;
    this.plain = slotsOnly && !demand.work().isSpecified();
    this.hopes = hopes(fleet, demand);
    this.preference = preference(fleet, demand);
    long places = reach(fleet.size());
    this.reach = new Reach(places, slotsOnly && hopes == null && preference == null && places != 0);
  }

  /** By device, whether it could take the demand some day; null if all could. */
  boolean @Nullable [] hopes() {
    return hopes;
  }

  /** Whether the device could take the demand some day, healthy and free or not. */
  boolean hopes(int index) {
    return hopes == null ? !fleet.isVacant(index) : hopes[index];
  }

  boolean hopesForAny() {
    return IntStream.range(0, fleet.size()).anyMatch(this::hopes);
  }

  /** The demand asks for one slot and for nothing that a device could run short of. */
  boolean isSlotsOnly() {
    return slotsOnly;
  }

  /** The demand asks for one slot and nothing else, and its cost is not learned. */
  boolean isPlain() {
    return plain;
  }

  /** The devices as the demand's affinity prefers them; null if it has none. */
  int @Nullable [] preference() {
    return preference;
  }

  /** A bit for each device that could take the demand, modulo 64; none if only one could. */
  Reach reach() {
    return reach;
  }

  private long reach(int size) {
    long bits = 0;
    int count = 0;
    for (int index = 0; index < size; index++) {
      if (hopes(index)) {
        bits |= 1L << index;
        count++;
      }
    }
    return count > 1 ? bits : 0;
  }

  /** Why no device can ever take the demand. */
  String objections() {
    List<String> reasons = new ArrayList<>();
    for (DeviceRuntime runtime : fleet.runtimes()) {
      objection(runtime.ledger().place())
          .ifPresent(reason -> reasons.add(runtime.device() + " " + reason));
    }
    return "no device can ever take "
        + demand
        + (reasons.isEmpty() ? ": the pool is empty" : ": " + String.join("; ", reasons));
  }

  /** Why a device could never take the demand; empty if it could. */
  Optional<String> objection(int index) {
    if (fleet.isVacant(index)) {
      return Optional.of("was removed");
    }
    return objection(fleet.ledger(index).device(), demand, fleet.memory().host());
  }

  private static Optional<String> objection(Device device, Demand demand, HostLimits host) {
    Optional<String> hint = demand.eligibility().objection(device);
    if (hint.isPresent()) {
      return hint;
    }
    Resources asked = demand.resources();
    Resources capacity = device.capacity();
    if (asked.slots() > capacity.slots()) {
      return Optional.of(
          "has %s, not %d"
              .formatted(
                  capacity.slots() == 1 ? "1 slot" : capacity.slots() + " slots", asked.slots()));
    }
    if (asked.memoryBytes() > capacity.memoryBytes()) {
      Bytes has = Bytes.of(capacity.memoryBytes());
      Bytes wants = Bytes.of(asked.memoryBytes());
      return Optional.of(
          "has %s of memory, not %s".formatted(has.besides(wants), wants.besides(has)));
    }
    for (var each : asked.named().entrySet()) {
      String name = each.getKey();
      boolean known = capacity.named().containsKey(name) || host.knows(name);
      long most =
          Math.min(
              capacity.named().getOrDefault(name, Long.MAX_VALUE),
              host.knows(name) ? host.limit(name) : Long.MAX_VALUE);
      if (each.getValue() > (known ? most : 0)) {
        return Optional.of("has %d %s, not %d".formatted(known ? most : 0, name, each.getValue()));
      }
    }
    return Optional.empty();
  }

  private static boolean @Nullable [] hopes(Fleet fleet, Demand demand) {
    boolean[] hopes = new boolean[fleet.size()];
    boolean all = true;
    for (int index = 0; index < hopes.length; index++) {
      hopes[index] =
          !fleet.isVacant(index)
              && objection(fleet.ledger(index).device(), demand, fleet.memory().host()).isEmpty();
      all &= hopes[index];
    }
    return all ? null : hopes;
  }

  private static int @Nullable [] preference(Fleet fleet, Demand demand) {
    String key = demand.affinity();
    if (key == null) {
      return null;
    }
    List<Device> devices =
        IntStream.range(0, fleet.size()).mapToObj(index -> fleet.ledger(index).device()).toList();
    return Affinity.order(
        key,
        devices.stream().map(Device::id).toList(),
        devices.stream().map(Device::weight).toList());
  }
}
