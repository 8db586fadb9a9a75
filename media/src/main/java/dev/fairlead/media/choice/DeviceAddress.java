package dev.fairlead.media.choice;

import dev.fairlead.device.Card;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Vendor;
import dev.fairlead.media.settings.HardwareAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Where FFmpeg finds a device of the pool. */
public final class DeviceAddress {
  private static final String NODES = "/dev/dri/";
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");
  private static final Path PCI_DEVICES = Path.of("/sys/bus/pci/devices");

  private DeviceAddress() {}

  /** The address of a GPU; empty for what is none, or what the kernel has no node for. */
  public static Optional<HardwareAddress> of(Device device) {
    return of(device, PCI_DEVICES);
  }

  static Optional<HardwareAddress> of(Device device, Path pciDevices) {
    if (device.kind().equals(DeviceKind.CUDA)) {
      return Optional.of(
          new HardwareAddress(HardwareAddress.CUDA, String.valueOf(device.ordinal())));
    }
    boolean vaapi = device.vendor().equals(Vendor.AMD) || device.vendor().equals(Vendor.INTEL);
    return vaapi && !device.isOnHostCores()
        ? device.card().flatMap(card -> node(card, pciDevices)).map(DeviceAddress::vaapi)
        : Optional.empty();
  }

  private static HardwareAddress vaapi(String node) {
    return new HardwareAddress(HardwareAddress.VAAPI, node);
  }

  /** The render node: what the card is known by, or else the one that the kernel has for it. */
  private static Optional<String> node(Card card, Path pciDevices) {
    if (!card.renderNode().isEmpty()) {
      return Optional.of(card.renderNode());
    }
    try (Stream<Path> names = Files.list(pciDevices.resolve(card.pciAddress()).resolve("drm"))) {
      return names
          .map(name -> name.getFileName().toString())
          .filter(name -> name.startsWith("renderD"))
          .sorted()
          .map(name -> NODES + name)
          .findFirst();
    } catch (IOException none) {
      return Optional.empty();
    }
  }

  /** The nodes through which drivers reach these devices; none for what is no GPU. */
  public static Set<Path> nodes(List<Device> devices) {
    Set<Path> nodes = new HashSet<>();
    for (Device device : devices) {
      Optional<HardwareAddress> address = of(device);
      if (address.isPresent() && address.get().api().equals(HardwareAddress.VAAPI)) {
        nodes.add(Path.of(address.get().device()));
      } else if (address.isPresent()) {
        nodes.addAll(nvidiaNodes());
      }
    }
    return nodes;
  }

  /** Where drivers of these devices write, beside their nodes. */
  public static List<Path> written(List<Device> devices) {
    return devices.stream().anyMatch(device -> isOn(HardwareAddress.CUDA, device))
        ? List.of(SHARED_MEMORY)
        : List.of();
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
