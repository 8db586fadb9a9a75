package dev.fairlead.device;

import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One device as a backend found it. The ordinal is the number that the backend gives it today; the
 * id stays the same when ordinals change.
 */
public record Device(Identity identity, double weight, Resources capacity, Features features) {
  private static final double LEAST_WEIGHT = 0.01;

  /** The identity of the device. */
  public record Identity(DeviceId id, DeviceKind kind, int ordinal, String name, Vendor vendor) {
    public Identity {
      if (ordinal < 0) {
        throw new IllegalArgumentException("ordinal is negative: " + ordinal);
      }
    }
  }

  /**
   * What the device can do.
   *
   * @param card what it is on; null for what is on none, or where the backend does not know
   */
  public record Features(
      @Nullable ComputeCapability computeCapability,
      Set<Capability> capabilities,
      @Nullable Card card) {
    public static final Features NONE = new Features(null, Set.of(), null);

    public Features {
      capabilities = Set.copyOf(capabilities);
    }
  }

  public Device {
    if (Double.isNaN(weight) || Double.isInfinite(weight)) {
      throw new IllegalArgumentException("The weight of " + identity.id() + " is " + weight);
    }
    weight = Math.max(LEAST_WEIGHT, weight);
  }

  /** A device of weight one with one slot, no memory and no features. */
  public static Device of(DeviceKind kind, int ordinal) {
    String label = kind + ":" + ordinal;
    return new Device(
        new Identity(DeviceId.of(label), kind, ordinal, label, Vendor.OTHER),
        1,
        Resources.oneSlot(),
        Features.NONE);
  }

  public Device withIdentity(DeviceId id, String name, Vendor vendor) {
    return new Device(
        new Identity(id, kind(), ordinal(), name, vendor), weight, capacity, features);
  }

  public Device withWeight(double value) {
    return new Device(identity, value, capacity, features);
  }

  public Device withSlots(int slots) {
    return withCapacity(capacity.withSlots(slots));
  }

  /**
   * How many units of an engine it has, as far as that is known: it takes one piece of work more
   * than that at a time.
   */
  public Device withUnits(Engine engine, int units) {
    int slots = Engine.slots(units);
    return engine == Engine.COMPUTE
        ? withSlots(slots)
        : withCapacity(capacity.with(engine.resource(), slots));
  }

  /** The same device for work on one of its engines only: its slots are those of the engine. */
  public Device on(Engine engine) {
    return withSlots(slots(engine));
  }

  public Device withMemory(long bytes) {
    return withCapacity(capacity.withMemory(bytes));
  }

  public Device withCapacity(Resources value) {
    return new Device(identity, weight, value, features);
  }

  public Device withComputeCapability(ComputeCapability value) {
    return new Device(
        identity, weight, capacity, new Features(value, features.capabilities(), features.card()));
  }

  public Device withCapabilities(Set<Capability> value) {
    return new Device(
        identity,
        weight,
        capacity,
        new Features(features.computeCapability(), value, features.card()));
  }

  public Device withCard(Card value) {
    return new Device(
        identity,
        weight,
        capacity,
        new Features(features.computeCapability(), features.capabilities(), value));
  }

  public DeviceId id() {
    return identity.id();
  }

  public String name() {
    return identity.name();
  }

  public DeviceKind kind() {
    return identity.kind();
  }

  public Vendor vendor() {
    return identity.vendor();
  }

  public int ordinal() {
    return identity.ordinal();
  }

  public int slots() {
    return capacity.slots();
  }

  /**
   * How much work an engine takes at a time. Where the backend does not distinguish engines, all
   * work shares the device's slots.
   */
  public int slots(Engine engine) {
    Long own = capacity.named().get(engine.resource());
    return own == null ? slots() : own.intValue();
  }

  public long memoryBytes() {
    return capacity.memoryBytes();
  }

  /**
   * Whether it works on the processor's own cores: a lane, or a driver that runs there. Such
   * devices share what they compute with, so that their powers do not add up.
   */
  public boolean isOnHostCores() {
    return kind().equals(DeviceKind.CPU) || features.capabilities().contains(Capability.HOST_CORES);
  }

  /** The card that the device is on, where that is known. */
  public Optional<Card> card() {
    return Optional.ofNullable(features.card());
  }

  /**
   * Whether two backends see the same device: by its id, or by its card. Several devices of one
   * kind on a card are parts of it.
   */
  boolean isSameAs(Device other) {
    boolean sameCard =
        features.card() != null
            && other.features.card() != null
            && features.card().isSameAs(other.features.card());
    return id().equals(other.id()) || (sameCard && !kind().equals(other.kind()));
  }

  /**
   * The same device seen twice, say by a compute and by an encoder backend: all that either knows.
   */
  Device mergedWith(Device other) {
    Set<Capability> capabilities = new HashSet<>(features.capabilities());
    capabilities.addAll(other.features.capabilities());
    Map<String, Long> named = new TreeMap<>(other.capacity.named());
    named.putAll(capacity.named());
    ComputeCapability compute =
        features.computeCapability() != null
            ? features.computeCapability()
            : other.features.computeCapability();
    return new Device(
        identity,
        weight,
        new Resources(slots(), Math.max(memoryBytes(), other.memoryBytes()), named),
        new Features(compute, capabilities, merged(features.card(), other.features.card())));
  }

  private static @Nullable Card merged(@Nullable Card first, @Nullable Card again) {
    return first == null || again == null
        ? (first == null ? again : first)
        : first.mergedWith(again);
  }

  /** Kind and ordinal, such as {@code cuda:1}: short, and unique at any one time. */
  public String label() {
    return kind() + ":" + ordinal();
  }

  @Override
  public String toString() {
    return label();
  }
}
