package dev.fairlead.policy;

import dev.fairlead.device.Bytes;
import dev.fairlead.device.Capability;
import dev.fairlead.device.ComputeCapability;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.Vendor;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Hints that say which devices may take a piece of work. They bind every policy.
 *
 * @param minimumFreeBytes free memory that the device must have at the moment of placement
 * @param capability what the device must be able to compute; one that has none never satisfies it
 * @param capabilities what else it must be able to do
 * @param allowed the only devices that may take it, at least one; null allows all
 * @param excluded devices that may not take it
 * @param vendor the family it must belong to
 */
public record Eligibility(
    long minimumFreeBytes,
    @Nullable ComputeCapability capability,
    Set<Capability> capabilities,
    @Nullable Set<DeviceId> allowed,
    Set<DeviceId> excluded,
    @Nullable Vendor vendor) {
  private static final Eligibility ANY = new Eligibility(0, null, Set.of(), null, Set.of(), null);

  public Eligibility {
    if (minimumFreeBytes < 0) {
      throw new IllegalArgumentException("minimumFreeBytes is negative: " + minimumFreeBytes);
    }
    if (allowed != null && allowed.isEmpty()) {
      throw new IllegalArgumentException("The allowed devices are none: name at least one");
    }
    capabilities = Set.copyOf(capabilities);
    allowed = allowed == null ? null : Set.copyOf(allowed);
    excluded = Set.copyOf(excluded);
  }

  public static Eligibility any() {
    return ANY;
  }

  public Eligibility withMinimumFreeBytes(long bytes) {
    return new Eligibility(bytes, capability, capabilities, allowed, excluded, vendor);
  }

  public Eligibility withCapability(ComputeCapability minimum) {
    return new Eligibility(minimumFreeBytes, minimum, capabilities, allowed, excluded, vendor);
  }

  public Eligibility withCapabilities(Set<Capability> all) {
    return new Eligibility(minimumFreeBytes, capability, all, allowed, excluded, vendor);
  }

  /** Allows these devices and no others, in place of those allowed before. */
  public Eligibility withAllowed(Set<DeviceId> only) {
    return new Eligibility(minimumFreeBytes, capability, capabilities, only, excluded, vendor);
  }

  /** Excludes these devices, in place of those excluded before. */
  public Eligibility withExcluded(Set<DeviceId> none) {
    return new Eligibility(minimumFreeBytes, capability, capabilities, allowed, none, vendor);
  }

  public Eligibility withVendor(Vendor family) {
    return new Eligibility(minimumFreeBytes, capability, capabilities, allowed, excluded, family);
  }

  /** Why a device can never satisfy these hints; empty if it can. */
  public Optional<String> objection(Device device) {
    ComputeCapability has = device.features().computeCapability();
    if (allowed != null && !allowed.contains(device.id())) {
      return Optional.of("is not among the allowed devices");
    }
    if (excluded.contains(device.id())) {
      return Optional.of("is excluded");
    }
    if (vendor != null && !vendor.equals(device.vendor())) {
      return Optional.of("is of vendor " + device.vendor() + ", not " + vendor);
    }
    if (capability != null && (has == null || !has.isAtLeast(capability))) {
      return Optional.of(
          "has %s, not compute capability %s"
              .formatted(has == null ? "no compute capability" : has, capability));
    }
    if (!device.features().capabilities().containsAll(capabilities)) {
      return Optional.of(
          "can do %s, not all of %s"
              .formatted(listed(device.features().capabilities()), listed(capabilities)));
    }
    if (device.memoryBytes() < minimumFreeBytes) {
      Bytes total = Bytes.of(device.memoryBytes());
      Bytes asked = Bytes.of(minimumFreeBytes);
      return Optional.of(
          "has %s of memory in all, %s must be free"
              .formatted(total.besides(asked), asked.besides(total)));
    }
    return Optional.empty();
  }

  @Override
  public String toString() {
    StringJoiner text = new StringJoiner("; ").setEmptyValue("any device");
    if (allowed != null) {
      text.add("only on " + listed(allowed));
    }
    if (!excluded.isEmpty()) {
      text.add("except " + listed(excluded));
    }
    if (vendor != null) {
      text.add("of vendor " + vendor);
    }
    if (capability != null) {
      text.add("compute capability " + capability + " or more");
    }
    if (!capabilities.isEmpty()) {
      text.add("can do " + listed(capabilities));
    }
    if (minimumFreeBytes > 0) {
      text.add(Bytes.of(minimumFreeBytes) + " free");
    }
    return text.toString();
  }

  private static String listed(Set<?> names) {
    return names.stream().map(String::valueOf).sorted().collect(Collectors.joining(", "));
  }
}
