package dev.fairlead.doctor.host;

import dev.fairlead.device.Vendor;
import dev.fairlead.media.choice.NvidiaDriver;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files in which a machine tells of itself, below a root: that of this machine, or of one that
 * was made up.
 */
public record Machine(Path root) {
  private static final Map<String, Vendor> VENDORS =
      Map.of("0x10de", Vendor.NVIDIA, "0x8086", Vendor.INTEL, "0x1002", Vendor.AMD);

  /** Display controllers of any kind. */
  private static final String GRAPHICS = "0x03";

  private static final Pattern CONTAINED = Pattern.compile("docker|kubepods|containerd|lxc|podman");

  public static Machine here() {
    return new Machine(NvidiaDriver.root());
  }

  /** Where a file of the machine is. */
  public Path path(String absolute) {
    return root.resolve(absolute.substring(1));
  }

  /** The graphics cards of vendors that have encoders, by their addresses. */
  public List<PciCard> cards() {
    List<PciCard> cards = new ArrayList<>();
    for (Path entry : listed("/sys/bus/pci/devices", "*")) {
      Vendor vendor = VENDORS.get(told(entry.resolve("vendor")));
      if (vendor != null && told(entry.resolve("class")).startsWith(GRAPHICS)) {
        cards.add(
            new PciCard(
                entry.getFileName().toString().toLowerCase(Locale.ROOT),
                vendor,
                linked(entry.resolve("driver")),
                nodes(entry)));
      }
    }
    cards.sort(Comparator.comparing(PciCard::address));
    return cards;
  }

  private static List<String> nodes(Path card) {
    try (Stream<Path> all = Files.list(card.resolve("drm"))) {
      return all.map(path -> path.getFileName().toString())
          .filter(name -> name.startsWith("renderD"))
          .sorted()
          .map(name -> "/dev/dri/" + name)
          .toList();
    } catch (IOException none) {
      return List.of();
    }
  }

  /** The version of NVIDIA's driver in the kernel; empty if it is not loaded. */
  public Optional<String> nvidiaDriver() {
    return NvidiaDriver.version(root);
  }

  /** The release of the kernel, which drivers of Intel and AMD come with. */
  public String kernel() {
    return told(path("/proc/sys/kernel/osrelease"));
  }

  /** Whether this is inside a container, which sees what it was given. */
  public boolean isContainer() {
    return Files.exists(path("/.dockerenv"))
        || Files.exists(path("/run/.containerenv"))
        || CONTAINED.matcher(told(path("/proc/1/cgroup"))).find();
  }

  /** Files that match a pattern in a directory, by their names. */
  public List<Path> listed(String directory, String pattern) {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(path(directory), pattern)) {
      entries.forEach(found::add);
    } catch (IOException none) {
      return List.of();
    }
    found.sort(Comparator.naturalOrder());
    return found;
  }

  /** What stands in a file of the kernel; empty if it is not there. */
  static String told(Path file) {
    try {
      return Files.readString(file).strip().toLowerCase(Locale.ROOT);
    } catch (IOException absent) {
      return "";
    }
  }

  private static String linked(Path link) {
    try {
      return link.toRealPath().getFileName().toString();
    } catch (IOException absent) {
      return "";
    }
  }
}
