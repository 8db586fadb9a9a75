package dev.fairlead.cuda;

import dev.fairlead.compute.ComputeContext;
import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.compute.driver.DriverError;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceProvider;
import dev.fairlead.device.Discovery;
import dev.fairlead.stats.Ticker;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The CUDA devices of this machine, through its driver. Where there is no driver there are no
 * devices, and not a word about it; a driver that is there and cannot be used is a problem with its
 * reason. Thread-safe.
 *
 * <p>The terms are {@code cuda}, all that the driver shows; {@code cuda:1}, the device of that
 * number; {@code cuda:GPU-5f0c}, the one whose UUID begins so; and each with a weight, {@code
 * cuda:1*0.5}.
 */
public final class CudaProvider implements DeviceProvider {
  private static final String SCHEME = "cuda";

  /**
   * What the last look has found.
   *
   * @param devices by what stays the same when ordinals change
   */
  private record Machine(Cu cu, @Nullable Nvml nvml, Map<DeviceId, CudaDevice> devices) {
    @Nullable NvmlDevice watched(CudaDevice device) {
      return nvml == null ? null : nvml.device(device.uuid());
    }

    CudaDevice find(Device device) {
      CudaDevice found = devices.get(device.id());
      if (found == null) {
        throw new IllegalArgumentException(
            "%s (%s) was not found by this provider".formatted(device, device.id()));
      }
      return found;
    }

    /** The devices whose memory a device reads by itself. */
    String peers(CudaDevice device) {
      CudaDevices all = new CudaDevices(cu);
      return devices.values().stream()
          .filter(other -> other.handle() != device.handle() && all.reaches(device, other))
          .map(other -> SCHEME + ":" + other.ordinal())
          .sorted()
          .collect(Collectors.joining(", "));
    }
  }

  private final CudaHost host;
  private final Ticker ticker;
  private final CudaResets resets = new CudaResets();
  private volatile @Nullable Machine machine;

  public CudaProvider() {
    this(CudaHost.here());
  }

  CudaProvider(CudaHost host) {
    this(host, Ticker.system());
  }

  CudaProvider(CudaHost host, Ticker ticker) {
    this.host = host;
    this.ticker = ticker;
  }

  @Override
  public String scheme() {
    return SCHEME;
  }

  @Override
  public Discovery discover(List<String> terms) {
    List<CudaTerm> chosen = terms.stream().map(CudaTerm::of).toList();
    return switch (CudaInstallation.on(host)) {
      case CudaInstallation.NoLibrary _ when terms.isEmpty() -> Discovery.of(this, List.of());
      case CudaInstallation.Unusable unusable -> problem(unusable.reason());
      case CudaInstallation.Ready ready -> discover(ready, chosen);
    };
  }

  private static Discovery problem(String reason) {
    return new Discovery(List.of(), List.of(new Discovery.Problem(SCHEME, reason)));
  }

  private Discovery discover(CudaInstallation.Ready ready, List<CudaTerm> terms) {
    List<Discovery.Problem> problems = new ArrayList<>();
    Optional<Nvml> nvml = Nvml.on(host, ticker, problems);
    Map<DeviceId, CudaDevice> devices = new LinkedHashMap<>();
    CudaDevices all = new CudaDevices(ready.cu());
    for (int ordinal = 0; ordinal < all.count(); ordinal++) {
      try {
        CudaDevice device =
            all.describe(ordinal, uuid -> nvml.filter(each -> each.knows(uuid)).isPresent());
        devices.put(DeviceId.of(device.uuid()), device);
      } catch (ComputeException failure) {
        problems.add(
            new Discovery.Problem(
                SCHEME + ":" + ordinal,
                failure.driverError().map(DriverError::toString).orElse("it does not answer")));
      }
    }
    machine = new Machine(ready.cu(), nvml.orElse(null), devices);
    List<Discovery.Found> found = new ArrayList<>();
    for (CudaTerm term : terms.isEmpty() ? List.of(CudaTerm.of(SCHEME)) : terms) {
      List<Device> some =
          devices.values().stream().map(CudaDevice::toDevice).filter(term::chooses).toList();
      some.forEach(each -> found.add(new Discovery.Found(each.withWeight(term.weight()), this)));
      if (some.isEmpty()) {
        problems.add(new Discovery.Problem(term.text(), noneOf(devices)));
      }
    }
    nvml.ifPresent(known -> problems.addAll(hidden(known.all(problems), devices)));
    return new Discovery(found, problems);
  }

  private static String noneOf(Map<DeviceId, CudaDevice> devices) {
    return "there is no such device; there are "
        + devices.values().stream()
            .map(device -> SCHEME + ":" + device.ordinal() + " (" + device.uuid() + ")")
            .collect(Collectors.joining(", "));
  }

  /** Devices that are in the machine and that the driver does not show. */
  private List<Discovery.Problem> hidden(
      List<Nvml.Listed> listed, Map<DeviceId, CudaDevice> devices) {
    // A device that is cut into slices is there through them.
    boolean sliced = devices.values().stream().anyMatch(CudaDevice::slice);
    return listed.stream()
        .filter(each -> !sliced && !devices.containsKey(DeviceId.of(each.uuid())))
        .map(each ->
            new Discovery.Problem(
                each.uuid() + " (" + each.name() + ")",
                host.hides().isEmpty()
                    ? "the CUDA driver does not show it"
                    : "is hidden by " + host.hides()))
        .toList();
  }

  /** A primary context takes some hundred megabytes, or in exclusive mode the only place. */
  @Override
  public Optional<DeviceContext.Unopened> unopened(Device device) {
    Machine found = machine();
    NvmlDevice watched = found.watched(found.find(device));
    return Optional.of(
        watched == null
            ? new DeviceContext.Unopened() {}
            : new CudaUnopened(watched, device.memoryBytes()));
  }

  @Override
  public DeviceContext open(Device device) {
    Machine found = machine();
    CudaDevice known = found.find(device);
    return ComputeContext.over(
        device,
        new CudaDriver(
            found.cu(), known, found.watched(known), host.near(known.pciAddress()), resets));
  }

  private Machine machine() {
    Machine found = machine;
    if (found == null) {
      throw new IllegalStateException("This provider has not looked for devices yet");
    }
    return found;
  }

  @Override
  public Map<String, String> details(Device device) {
    Machine known = machine();
    CudaDevice found = known.find(device);
    Map<String, String> details = new LinkedHashMap<>();
    details.put("PCI address", found.pciAddress());
    host.numaNode(found.pciAddress())
        .ifPresent(node -> details.put("NUMA node", String.valueOf(node)));
    details.put("compute capability", found.capability().toString());
    details.put("multiprocessors", String.valueOf(found.multiprocessors()));
    details.put("compute mode", new CudaDevices(known.cu()).computeMode(found));
    if (found.slice()) {
      details.put("slice", "MIG");
    }
    String peers = known.peers(found);
    if (!peers.isEmpty()) {
      details.put("reads memory of", peers);
    }
    if (!host.hides().isEmpty()) {
      details.put("visible by", host.hides());
    }
    NvmlDevice watched = known.watched(found);
    if (watched != null) {
      watched.read().ifPresent(reading -> details.putAll(reading.details()));
    }
    return details;
  }
}
