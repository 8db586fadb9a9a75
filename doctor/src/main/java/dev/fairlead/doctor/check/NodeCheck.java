package dev.fairlead.doctor.check;

import dev.fairlead.device.Vendor;
import dev.fairlead.doctor.host.Machine;
import dev.fairlead.doctor.host.PciCard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** Whether this user may use the nodes through which drivers reach their cards. */
final class NodeCheck implements Check {
  private final boolean nvidia;

  private NodeCheck(boolean nvidia) {
    this.nvidia = nvidia;
  }

  static List<Check> all() {
    return List.of(new NodeCheck(true), new NodeCheck(false));
  }

  @Override
  public String id() {
    return nvidia ? "nodes.nvidia" : "nodes.dri";
  }

  @Override
  public Finding run(Subject subject) {
    Machine machine = subject.machine();
    List<PciCard> cards =
        machine.cards().stream()
            .filter(card -> card.vendor().equals(Vendor.NVIDIA) == nvidia)
            .toList();
    if (cards.isEmpty()) {
      return Finding.skip(
          nvidia ? "there is no card of nvidia" : "there is no card of amd or intel");
    }
    List<String> nodes = new ArrayList<>();
    if (nvidia) {
      nodes.addAll(List.of("/dev/nvidiactl", "/dev/nvidia-uvm"));
      for (int i = 0; i < cards.size(); i++) {
        nodes.add("/dev/nvidia" + i);
      }
    } else {
      cards.forEach(card -> nodes.addAll(card.nodes()));
    }
    for (String node : nodes) {
      Path path = machine.path(node);
      if (!Files.exists(path)) {
        return Finding.fail(node + " is not there", missing(machine, node));
      }
      if (!Files.isReadable(path) || !Files.isWritable(path)) {
        return Finding.fail(
            "%s may not be read and written by this user".formatted(node), refused(machine, path));
      }
    }
    return nodes.isEmpty()
        ? Finding.fail(
            "the kernel has no render node for " + cards.getFirst().address(),
            "Load the kernel's driver: modprobe i915, xe or amdgpu; firmware is in"
                + " firmware-misc-nonfree or firmware-amd-graphics")
        : Finding.pass(String.join(", ", nodes) + " may be used");
  }

  private String missing(Machine machine, String node) {
    if (machine.isContainer()) {
      return nvidia
          ? "Start the container with --gpus all (nvidia-container-toolkit)"
          : "Start the container with --device /dev/dri";
    }
    if (node.endsWith("uvm")) {
      return "Load the module: nvidia-modprobe -u -c=0";
    }
    return nvidia
        ? "Install the driver: apt-get install nvidia-driver; then restart the machine"
        : "Load the kernel's driver of the card, and look into dmesg";
  }

  private String refused(Machine machine, Path path) {
    String group = group(path);
    return machine.isContainer()
        ? "Start the container with --group-add %s".formatted(group)
        : "Add yourself to its group and log in again: usermod -aG %s $USER".formatted(group);
  }

  private static String group(Path path) {
    try {
      return Files.readAttributes(path, PosixFileAttributes.class).group().getName();
    } catch (IOException | UnsupportedOperationException unknown) {
      return "render";
    }
  }
}
