package dev.fairlead.backends.cpu;

import dev.fairlead.device.BadTermException;
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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lanes of this machine's processor as devices of kind CPU, each with one slot and an even part of
 * the host's memory. Thread-safe.
 *
 * <p>The terms are {@code cpu}, one lane per core; {@code cpu:4}, that many lanes; {@code lane:2},
 * the lane of that number, counted from 0; and any of them with a speed factor, {@code cpu:1*0.25}:
 * lanes made slower on purpose, for trials with unequal devices. {@code @NAME} at the end, {@code
 * cpu:1@aom}, gives them the capability {@code tool:NAME}, for programs that have several ways to
 * work. A slowed lane says so in its name and weighs as much as its factor. Lanes that are counted
 * take the numbers that no term names, one after another, so that {@code cpu:2,cpu:1*0.25} gives
 * lanes 0 and 1 and the slow lane 2.
 */
public final class CpuProvider implements DeviceProvider {
  static final String SCHEME = "cpu";

  private final CpuHost host;

  /**
   * The terms of the lanes that were found. A lane's identity holds the factor and the tool, in its
   * name, so that lanes of several discoveries do not meet here.
   */
  private final Map<Device.Identity, CpuTerm> terms = new ConcurrentHashMap<>();

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
  public boolean understands(String word) {
    return word.equals(SCHEME) || word.equals(CpuTerm.LANE);
  }

  @Override
  public Discovery discover(List<String> selection) {
    SequencedMap<Integer, CpuTerm> lanes =
        numbered(
            (selection.isEmpty() ? List.of(SCHEME) : selection)
                .stream().map(text -> CpuTerm.of(text, host.processors())).toList());
    List<Device> devices = new ArrayList<>();
    lanes.forEach(
        (number, term) -> devices.add(lane(number, term, host.memoryBytes() / lanes.size())));
    return Discovery.of(this, devices);
  }

  /** The lanes by their numbers, in the order of their terms. */
  private static SequencedMap<Integer, CpuTerm> numbered(List<CpuTerm> chosen) {
    Set<Integer> named = new HashSet<>();
    for (CpuTerm term : chosen) {
      if (term.number().isPresent() && !named.add(term.number().getAsInt())) {
        throw new BadTermException(
            "lane:%d is chosen twice; name each lane once".formatted(term.number().getAsInt()));
      }
    }
    SequencedMap<Integer, CpuTerm> lanes = new LinkedHashMap<>();
    int next = 0;
    for (CpuTerm term : chosen) {
      for (int lane = 0; lane < term.lanes(); lane++) {
        while (term.number().isEmpty() && named.contains(next)) {
          next++;
        }
        lanes.put(term.number().isPresent() ? term.number().getAsInt() : next++, term);
      }
    }
    return lanes;
  }

  @Override
  public String term(Device device) {
    CpuTerm term = terms.get(device.identity());
    return term == null ? device.label() : term.named(device.ordinal());
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
    terms.put(device.identity(), term);
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
    CpuTerm term = terms.get(device.identity());
    return new CpuContext(term == null ? 1 : term.factor().doubleValue());
  }
}
