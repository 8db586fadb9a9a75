package dev.fairlead.backends.cpu;

import dev.fairlead.device.Capability;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.DeviceProvider;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Vendor;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lanes of this machine's processor as devices of kind CPU, each with one slot and an even part of
 * the host's memory. Thread-safe.
 *
 * <p>The terms are {@code cpu}, one lane per core; {@code cpu:4}, that many lanes; and either with
 * a speed factor, {@code cpu:1*0.25}: lanes made slower on purpose, for trials with unequal
 * devices. {@code @NAME} at the end, {@code cpu:1@aom}, gives them the capability {@code
 * tool:NAME}, for programs that have several ways to work. A slowed lane says so in its name and
 * weighs as much as its factor. Terms number on, so that {@code cpu:2,cpu:1*0.25} gives cpu:0,
 * cpu:1 and the slow cpu:2.
 */
public final class CpuProvider implements DeviceProvider {
  static final String SCHEME = "cpu";

  private final CpuHost host;

  /**
   * The factors of the slowed lanes that were found. A lane's identity holds the factor, in its
   * name, so that lanes of several discoveries do not meet here.
   */
  private final Map<Device.Identity, Double> factors = new ConcurrentHashMap<>();

  public CpuProvider() {
    this(CpuHost.here());
  }

  CpuProvider(CpuHost host) {
    this.host = host;
  }

  @Override
  public String scheme() {
    return SCHEME;
  }

  @Override
  public Discovery discover(List<String> terms) {
    List<CpuTerm> lanes = new ArrayList<>();
    for (String text : terms.isEmpty() ? List.of(SCHEME) : terms) {
      CpuTerm term = CpuTerm.of(text, host.processors());
      for (int lane = 0; lane < term.lanes(); lane++) {
        lanes.add(term);
      }
    }
    List<Device> devices = new ArrayList<>();
    for (CpuTerm term : lanes) {
      devices.add(lane(devices.size(), term, host.memoryBytes() / lanes.size()));
    }
    return Discovery.of(this, devices);
  }

  private Device lane(int number, CpuTerm term, long memoryBytes) {
    BigDecimal factor = term.factor();
    boolean slowed = factor.compareTo(BigDecimal.ONE) < 0;
    String name =
        "CPU lane %s%s%s%s"
            .formatted(
                number,
                host.model().isEmpty() ? "" : " of " + host.model(),
                slowed ? " (slowed to " + factor.toPlainString() + ")" : "",
                term.tool().isEmpty() ? "" : " with " + term.tool());
    Set<Capability> capabilities =
        term.tool().isEmpty()
            ? Set.of(Capability.COMPUTE)
            : Set.of(Capability.COMPUTE, Capability.of("tool:" + term.tool()));
    Device device =
        Device.of(DeviceKind.CPU, number)
            .withIdentity(DeviceId.of(SCHEME + ":" + number), name, Vendor.OTHER)
            .withWeight(factor.doubleValue())
            .withMemory(memoryBytes)
            .withCapabilities(capabilities);
    if (slowed) {
      factors.put(device.identity(), factor.doubleValue());
    }
    return device;
  }

  /** A lane has nothing that an error could poison. */
  @Override
  public Optional<DeviceProvider> isolated() {
    return Optional.of(this);
  }

  @Override
  public DeviceContext open(Device device) {
    if (!device.kind().equals(DeviceKind.CPU)) {
      throw new IllegalArgumentException(
          "%s is of kind %s; this backend opens CPU lanes".formatted(device, device.kind()));
    }
    return new CpuContext(factors.getOrDefault(device.identity(), 1.0));
  }
}
