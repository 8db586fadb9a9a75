package dev.fairlead.policy;

import dev.fairlead.device.Capability;
import dev.fairlead.device.ComputeCapability;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.Resources;
import dev.fairlead.device.Vendor;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a piece of work needs from the device that runs it. Demands are values: keep one and use it
 * again for all work of its kind, which is also what makes placing it cheap.
 *
 * @param affinity a key that wants the same device each time, as long as that one is not overloaded
 * @param usesContext whether the work is to find the device's context open
 */
public record Demand(
    Work work,
    Resources resources,
    Eligibility eligibility,
    Priority priority,
    @Nullable String affinity,
    boolean usesContext) {
  private static final Demand ANY =
      new Demand(
          Work.unspecified(), Resources.oneSlot(), Eligibility.any(), Priority.NORMAL, null, true);

  /** One slot of any device. */
  public static Demand any() {
    return ANY;
  }

  public static Demand of(String kind, double size) {
    return ANY.withWork(Work.of(kind, size));
  }

  public Demand withWork(Work value) {
    return new Demand(value, resources, eligibility, priority, affinity, usesContext);
  }

  public Demand withPriority(Priority value) {
    return new Demand(work, resources, eligibility, value, affinity, usesContext);
  }

  public Demand withAffinity(String key) {
    return new Demand(work, resources, eligibility, priority, key, usesContext);
  }

  /**
   * Work that leaves the device's context alone, say because another process computes: a pool that
   * opens contexts on first use opens none for it.
   */
  public Demand withoutContext() {
    return new Demand(work, resources, eligibility, priority, affinity, false);
  }

  public Demand withResources(Resources value) {
    return new Demand(work, value, eligibility, priority, affinity, usesContext);
  }

  public Demand withEligibility(Eligibility value) {
    return new Demand(work, resources, value, priority, affinity, usesContext);
  }

  /** Memory that is reserved while the work runs. */
  public Demand withMemory(long bytes) {
    return withResources(resources.withMemory(bytes));
  }

  public Demand withSlots(int count) {
    return withResources(resources.withSlots(count));
  }

  /** A named resource, such as an encoder session, of the device or of the whole host. */
  public Demand with(String resource, long amount) {
    return withResources(resources.with(resource, amount));
  }

  /** Names the only devices that may take it, in place of those named before. */
  public Demand onlyOn(DeviceId... devices) {
    if (devices.length == 0) {
      throw new IllegalArgumentException("onlyOn names no device: name at least one");
    }
    return withEligibility(eligibility.withAllowed(Set.copyOf(List.of(devices))));
  }

  /** Names devices that may not take it, besides those excluded before. */
  public Demand except(Set<DeviceId> devices) {
    Set<DeviceId> all = new HashSet<>(eligibility.excluded());
    all.addAll(devices);
    return withEligibility(eligibility.withExcluded(all));
  }

  /** Names devices that may not take it, besides those excluded before. */
  public Demand except(DeviceId... devices) {
    return except(Set.copyOf(List.of(devices)));
  }

  public Demand ofVendor(Vendor vendor) {
    return withEligibility(eligibility.withVendor(vendor));
  }

  public Demand withMinimumFreeBytes(long bytes) {
    return withEligibility(eligibility.withMinimumFreeBytes(bytes));
  }

  public Demand withCapability(ComputeCapability minimum) {
    return withEligibility(eligibility.withCapability(minimum));
  }

  public Demand withCapabilities(Capability... all) {
    return withEligibility(eligibility.withCapabilities(Set.copyOf(List.of(all))));
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(resources.toString());
    if (work.isSpecified()) {
      text.append(" for ").append(work);
    }
    if (!eligibility.equals(Eligibility.any())) {
      text.append(" (").append(eligibility).append(')');
    }
    if (affinity != null) {
      text.append(" near ").append(affinity);
    }
    return text.append(", priority ").append(priority.name().toLowerCase(Locale.ROOT)).toString();
  }
}
