package dev.fairlead.media.job;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Vendor;
import dev.fairlead.media.plan.HardwareAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Where FFmpeg finds a device of the pool. */
final class DeviceAddress {
  static final String CUDA = "cuda";
  static final String VAAPI = "vaapi";

  private static final String NODES = "/dev/dri/";
  private static final int FIRST_NODE = 128;

  private DeviceAddress() {}

  /** The address of a GPU; empty for what is none. */
  static Optional<HardwareAddress> of(Device device) {
    if (device.kind().equals(DeviceKind.CUDA)) {
      return Optional.of(new HardwareAddress(CUDA, String.valueOf(device.ordinal())));
    }
    boolean vaapi = device.vendor().equals(Vendor.AMD) || device.vendor().equals(Vendor.INTEL);
    boolean gpu =
        device.kind().equals(DeviceKind.OPENCL) || device.kind().equals(DeviceKind.ENCODER);
    return vaapi && gpu && !device.isOnHostCores()
        ? Optional.of(new HardwareAddress(VAAPI, node(device)))
        : Optional.empty();
  }

  /** The render node: what the device is known by, or else the one of its number. */
  private static String node(Device device) {
    String id = device.id().value();
    return id.startsWith(NODES) ? id : NODES + "renderD" + (FIRST_NODE + device.ordinal());
  }

  /** The nodes through which drivers reach these devices; none for what is no GPU. */
  static Set<Path> nodes(List<Device> devices) {
    Set<Path> nodes = new HashSet<>();
    for (Device device : devices) {
      Optional<HardwareAddress> address = of(device);
      if (address.isPresent() && address.get().api().equals(VAAPI)) {
        nodes.add(Path.of(address.get().device()));
      } else if (address.isPresent()) {
        nodes.addAll(nvidiaNodes());
      }
    }
    return nodes;
  }

  /** All of them: which of these belongs to a device is known to the driver alone. */
  private static List<Path> nvidiaNodes() {
    try (Stream<Path> nodes = Files.list(Path.of("/dev"))) {
      return nodes.filter(node -> node.getFileName().toString().startsWith("nvidia")).toList();
    } catch (IOException none) {
      return List.of();
    }
  }

  static boolean isOn(String api, Device device) {
    return of(device).filter(address -> address.api().equals(api)).isPresent();
  }
}
