package dev.fairlead.doctor.check;

import dev.fairlead.compute.ComputeContext;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Discovery;
import dev.fairlead.doctor.host.Machine;
import dev.fairlead.media.prepare.DeviceTrials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Whether others use a device at present. */
public final class Busy {
  private static final String VAAPI = "vaapi";

  private Busy() {}

  /** Who uses one of the devices, as part of a sentence; empty if nobody is known to. */
  public static Optional<String> reason(Subject subject) {
    for (Discovery.Found found : subject.found()) {
      Device device = found.device();
      int others =
          device.kind().equals(DeviceKind.CUDA)
              ? streams(subject, found)
              : DeviceTrials.address(device)
                  .filter(address -> address.api().equals(VAAPI))
                  .map(address -> openers(subject.machine(), address.device()))
                  .orElse(0);
      if (others > 0) {
        return Optional.of("%d others use %s".formatted(others, device.label()));
      }
    }
    return Optional.empty();
  }

  private static int streams(Subject subject, Discovery.Found found) {
    try (ComputeContext context = subject.open(found)) {
      return context.sample().map(DeviceContext.Sample::foreignStreams).orElse(0);
    }
  }

  /** Processes that have a node open, as far as this user may know, other than its own children. */
  static int openers(Machine machine, String node) {
    Set<Long> own =
        Stream.concat(
                Stream.of(ProcessHandle.current()),
                ProcessHandle.current().parent().stream().flatMap(ProcessHandle::descendants))
            .map(ProcessHandle::pid)
            .collect(Collectors.toSet());
    int openers = 0;
    for (Path process : machine.listed("/proc", "[0-9]*")) {
      long pid = Long.parseLong(process.getFileName().toString());
      if (!own.contains(pid) && hasOpen(process.resolve("fd"), node)) {
        openers++;
      }
    }
    return openers;
  }

  private static boolean hasOpen(Path descriptors, String node) {
    try (Stream<Path> links = Files.list(descriptors)) {
      return links.anyMatch(link -> leadsTo(link, node));
    } catch (IOException notOurs) {
      return false;
    }
  }

  private static boolean leadsTo(Path link, String node) {
    try {
      return Files.readSymbolicLink(link).toString().equals(node);
    } catch (IOException | UnsupportedOperationException gone) {
      return false;
    }
  }
}
