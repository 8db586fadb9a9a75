package dev.fairlead.doctor.host;

import dev.fairlead.device.Vendor;
import java.util.List;

/**
 * A graphics card as the kernel lists it on the PCI bus.
 *
 * @param address such as {@code 0000:3b:00.0}
 * @param driver the kernel's for it, such as {@code nvidia}; empty if it has none
 * @param nodes its render nodes, such as {@code /dev/dri/renderD128}
 */
public record PciCard(String address, Vendor vendor, String driver, List<String> nodes) {
  public PciCard {
    nodes = List.copyOf(nodes);
  }
}
