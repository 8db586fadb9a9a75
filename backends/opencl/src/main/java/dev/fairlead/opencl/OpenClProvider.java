package dev.fairlead.opencl;

import dev.fairlead.compute.ComputeContext;
import dev.fairlead.compute.driver.ComputeDriver;
import dev.fairlead.device.Capability;
import dev.fairlead.device.Card;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.DeviceProvider;
import dev.fairlead.device.Discovery;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * OpenCL devices of this machine, and equal parts of them. Thread-safe.
 *
 * <p>The terms are {@code opencl}, all of them; {@code opencl:0}, the one of that number; and
 * {@code opencl:0/2}, two parts of it that have half of its compute units each and run beside each
 * other. Any may end with a weight, {@code opencl:0*0.5}. Parts are numbered on after the whole
 * devices.
 *
 * <p>Drivers are asked for their devices in a process of their own. A device that a driver runs on
 * the processor's cores has the capability {@link Capability#HOST_CORES}: it takes from the CPU
 * lanes what it gives.
 */
public final class OpenClProvider implements DeviceProvider {
  static final String SCHEME = "opencl";

  /** Kernels of one leaseholder run while another one copies; a processor does both itself. */
  private static final int SLOTS_OF_A_GPU = 2;

  private final Icds icds;
  private final Map<Device.Identity, ClPart> found = new ConcurrentHashMap<>();
  private Icds.@Nullable Look look;

  public OpenClProvider() {
    this(Icds.here());
  }

  OpenClProvider(Icds icds) {
    this.icds = icds;
  }

  @Override
  public String scheme() {
    return SCHEME;
  }

  @Override
  public Discovery discover(List<String> terms) {
    List<OpenClTerm> asked =
        terms.isEmpty() ? List.of(OpenClTerm.ALL) : terms.stream().map(OpenClTerm::of).toList();
    Icds.Look seen = look();
    List<Discovery.Problem> problems = new ArrayList<>();
    seen.problems().forEach(reason -> problems.add(new Discovery.Problem(SCHEME, reason)));
    if (seen.devices().isEmpty() && problems.isEmpty()) {
      problems.add(
          new Discovery.Problem(
              SCHEME,
              "no driver is registered in %s, or it has no device".formatted(icds.vendors())));
    }
    List<ClPart> wholes = ClPart.wholes(seen.devices());
    List<Discovery.Found> devices = new ArrayList<>();
    int next = wholes.size();
    for (OpenClTerm term : asked) {
      for (ClPart whole : chosen(term, wholes, problems)) {
        for (ClPart part : whole.parts(term.parts(), next)) {
          devices.add(new Discovery.Found(device(part).withWeight(term.weight()), this));
        }
        next += term.parts() > 1 ? term.parts() : 0;
      }
    }
    return new Discovery(devices, problems);
  }

  private synchronized Icds.Look look() {
    Icds.Look seen = look;
    if (seen == null) {
      seen = icds.look();
      look = seen;
    }
    return seen;
  }

  private static List<ClPart> chosen(
      OpenClTerm term, List<ClPart> wholes, List<Discovery.Problem> problems) {
    if (term.device().isEmpty()) {
      return wholes;
    }
    int number = term.device().getAsInt();
    if (number < wholes.size()) {
      return List.of(wholes.get(number));
    }
    problems.add(
        new Discovery.Problem(
            SCHEME + ":" + number,
            wholes.isEmpty()
                ? "there are no OpenCL devices"
                : "there are OpenCL devices 0 to " + (wholes.size() - 1)));
    return List.of();
  }

  private Device device(ClPart part) {
    ClDevice whole = part.whole();
    Set<Capability> capabilities = new HashSet<>(Set.of(Capability.COMPUTE));
    if (whole.onHostCores()) {
      capabilities.add(Capability.HOST_CORES);
    }
    Device plain =
        Device.of(DeviceKind.OPENCL, part.ordinal())
            .withIdentity(DeviceId.of(part.id()), part.name(), whole.vendor())
            .withSlots(whole.onHostCores() ? 1 : SLOTS_OF_A_GPU)
            .withMemory(whole.memoryBytes() / part.of())
            .withCapabilities(capabilities);
    Device device = Card.told(whole.pciAddress()).map(plain::withCard).orElse(plain);
    found.put(device.identity(), part);
    return device;
  }

  /**
   * A context takes memory of a GPU; of a device without one, OpenCL tells nothing that changes. On
   * the processor's cores a context costs nothing.
   */
  @Override
  public Optional<DeviceContext.Unopened> unopened(Device device) {
    return device.isOnHostCores() ? Optional.empty() : Optional.of(new DeviceContext.Unopened() {});
  }

  @Override
  public DeviceContext open(Device device) {
    return ComputeContext.over(device, driver(device));
  }

  ComputeDriver driver(Device device) {
    ClPart part = found.get(device.identity());
    if (part == null) {
      throw new IllegalArgumentException(
          "%s was not found by this backend, which opens OpenCL devices".formatted(device));
    }
    return ClOpening.open(look(), part);
  }
}
