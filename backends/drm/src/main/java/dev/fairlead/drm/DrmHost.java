package dev.fairlead.drm;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The render nodes of a machine, as its kernel describes them.
 *
 * @param described where it does: {@code /sys/class/drm}
 * @param nodes where the nodes are: {@code /dev/dri}
 */
record DrmHost(Path described, Path nodes) {
  private static final Pattern PCI =
      Pattern.compile("[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]");

  /**
   * One node.
   *
   * @param vendor and {@code model}: the numbers that PCI has for them, such as {@code 0x8086}
   * @param driver the kernel's, such as {@code xe}; empty if it does not tell
   * @param memoryBytes of the card's own memory; zero if it has none or does not tell
   */
  record Node(
      Path path, String pciAddress, String vendor, String model, String driver, long memoryBytes) {}

  /** A system property that names another root of the files than that of this machine. */
  private static final String ROOT = "fairlead.machine";

  static DrmHost here() {
    Path root = Path.of(System.getProperty(ROOT, "/"));
    return new DrmHost(root.resolve("sys/class/drm"), root.resolve("dev/dri"));
  }

  /** The nodes of cards on a PCI bus, by their addresses. */
  List<Node> renderNodes() {
    List<Node> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(described, "renderD*")) {
      for (Path entry : entries) {
        Path card = card(entry);
        String address = card.getFileName().toString().toLowerCase(Locale.ROOT);
        if (PCI.matcher(address).matches()) {
          found.add(
              new Node(
                  nodes.resolve(entry.getFileName().toString()),
                  address,
                  told(card, "vendor"),
                  told(card, "device"),
                  driver(card),
                  number(told(card, "mem_info_vram_total"))));
        }
      }
    } catch (IOException none) {
      return List.of(); // no such directory: this kernel knows no graphics
    }
    found.sort(Comparator.comparing(Node::pciAddress).thenComparing(Node::path));
    return found;
  }

  private static Path card(Path entry) {
    try {
      return entry.resolve("device").toRealPath();
    } catch (IOException absent) {
      return entry;
    }
  }

  private static String driver(Path card) {
    try {
      return card.resolve("driver").toRealPath().getFileName().toString();
    } catch (IOException absent) {
      return "";
    }
  }

  private static String told(Path card, String what) {
    try {
      return Files.readString(card.resolve(what)).strip().toLowerCase(Locale.ROOT);
    } catch (IOException absent) {
      return "";
    }
  }

  private static long number(String text) {
    try {
      return Math.max(0, Long.parseLong(text));
    } catch (NumberFormatException absent) {
      return 0;
    }
  }
}
