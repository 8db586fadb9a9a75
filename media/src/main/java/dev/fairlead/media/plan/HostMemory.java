package dev.fairlead.media.plan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How much memory there is for this process: what the machine has, or what the narrowest of the
 * control groups around it may use if that is less.
 *
 * <p>A control group has two hierarchies to be in, and both are looked at. Containers see a mount
 * whose root is their own group, though the path that the kernel names may be the host's; so every
 * folder from that path up to the root is asked, and those that are not there do not matter.
 */
public record HostMemory(long bytes) {
  /** What is assumed where nothing can be read. */
  private static final long UNKNOWN = 4L << 30;

  private static final String UNIFIED = "0::";
  private static final List<String> UNIFIED_MOUNTS =
      List.of("sys/fs/cgroup", "sys/fs/cgroup/unified");
  private static final String MEMORY_MOUNT = "sys/fs/cgroup/memory";

  public HostMemory {
    if (bytes <= 0) {
      throw new IllegalArgumentException("There is no memory: " + bytes);
    }
  }

  /** That of this machine. */
  public static HostMemory here() {
    return below(Path.of("/"));
  }

  /** That of a machine whose files lie below a folder. */
  static HostMemory below(Path root) {
    long least = machine(root).orElse(UNKNOWN);
    for (String line : lines(root.resolve("proc/self/cgroup"))) {
      if (line.startsWith(UNIFIED)) {
        String group = line.substring(UNIFIED.length());
        for (String mount : UNIFIED_MOUNTS) {
          least = Math.min(least, narrowest(root.resolve(mount), group, "memory.max"));
        }
      } else if (isMemoryGroup(line)) {
        String group = line.substring(line.indexOf(':', line.indexOf(':') + 1) + 1);
        least =
            Math.min(least, narrowest(root.resolve(MEMORY_MOUNT), group, "memory.limit_in_bytes"));
      }
    }
    return new HostMemory(least);
  }

  /** How much a request may take: what it says, else half of what there is. */
  public long bound(TranscodeRequest request) {
    return request.memoryBytes().orElse(half());
  }

  /** What a job may take that has no bound: half, since other programs run too. */
  public long half() {
    return Math.max(1, bytes / 2);
  }

  private static OptionalLong machine(Path root) {
    return lines(root.resolve("proc/meminfo")).stream()
        .filter(line -> line.startsWith("MemTotal:"))
        .flatMap(line -> number(line.replaceAll("[^0-9]", "")).stream())
        .mapToLong(kilobytes -> kilobytes << 10)
        .findFirst();
  }

  /** Whether a line such as {@code 4:cpu,memory:/group} names the group that limits memory. */
  private static boolean isMemoryGroup(String line) {
    String[] parts = line.split(":", 3);
    return parts.length == 3 && List.of(parts[1].split(",")).contains("memory");
  }

  private static long narrowest(Path mount, String group, String file) {
    long least = Long.MAX_VALUE;
    Path below = Path.of("/").resolve(group).normalize();
    for (Path each = below; each != null; each = each.getParent()) {
      Path limit = mount.resolve(each.toString().substring(1)).resolve(file);
      for (String line : lines(limit)) {
        least = Math.min(least, number(line.strip()).filter(bytes -> bytes > 0).orElse(least));
      }
    }
    return least;
  }

  /** A number; empty for words such as {@code max}, and for what is larger than any memory. */
  private static Optional<Long> number(String text) {
    try {
      return Optional.of(Long.valueOf(text));
    } catch (NumberFormatException word) {
      return Optional.empty();
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.exists(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException unreadable) {
      return List.of();
    }
  }
}
