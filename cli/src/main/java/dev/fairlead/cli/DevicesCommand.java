package dev.fairlead.cli;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceException;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Discovery;
import dev.fairlead.doctor.host.Machine;
import dev.fairlead.lease.PoolException;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.PoolOptions;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the devices that Fairlead finds, and what is there but cannot be used. */
@Command(
    name = "devices",
    description = "List the devices, and why something present cannot be used.",
    mixinStandardHelpOptions = true)
final class DevicesCommand implements Runnable {
  /** How long devices get to say how much memory they have left. */
  private static final Duration FIRST_ANSWERS = Duration.ofSeconds(1);

  private static final Duration REFRESH = Duration.ofSeconds(1);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(10);
  private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";

  @Spec private CommandSpec spec;

  @Option(
      names = "--devices",
      paramLabel = "TERMS",
      defaultValue = "all,cpu,opencl",
      description =
          "Which to look for: all, cpu, cpu:2 (two lanes), cpu:1*0.25 (a slowed one), lane:0 (the "
              + "first), opencl, opencl:0/2 (its halves), cuda, cuda:1, and what the first column "
              + "says (default: ${DEFAULT-VALUE}).")
  private String terms;

  @Option(
      names = "--profile",
      paramLabel = "FILE",
      description =
          "What 'fairlead doctor' has proven, or none (default: the file that it writes).")
  private @Nullable String profile;

  @Option(names = "--json", description = "Print one JSON object on one line.")
  private boolean json;

  @Option(names = "--watch", description = "Print it again every second, until interrupted.")
  private boolean watch;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields before it runs a command
  DevicesCommand() {}

  @Override
  public void run() {
    Discovery found = Discovery.find(terms);
    ProvenDevices proven = ProvenDevices.of(ProvenDevices.file(profile), found.devices());
    Discovery discovery = proven.slotted(found);
    // A context takes room on a card, and in EXCLUSIVE_PROCESS mode the only place there.
    try (DevicePool pool = DevicePool.open(discovery, PoolOptions.usual().withContextsOnUse())) {
      awaitAnswers(pool);
      boolean more = print(listing(discovery, pool, proven));
      while (watch && more) {
        Thread.sleep(REFRESH);
        more = print(listing(discovery, pool, proven));
      }
    } catch (PoolException.NoDevices | PoolException.EmptySelection none) {
      print(
          new DeviceListing(List.of(), discovery.problems(), Map.of(), Map.of(), proven.notices()));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static DeviceListing listing(Discovery discovery, DevicePool pool, ProvenDevices proven) {
    Map<DeviceId, Map<String, String>> details = new HashMap<>();
    Map<DeviceId, String> terms = new HashMap<>();
    for (Discovery.Found found : discovery.found()) {
      Device device = found.device();
      Map<String, String> known = new LinkedHashMap<>();
      try {
        known.putAll(found.provider().details(device));
      } catch (DeviceException silent) {
        // A device that does not answer is shown as what its health says.
      }
      known.putAll(CardDetails.of(device, proven, Machine.here()));
      details.put(device.id(), known);
      terms.put(device.id(), found.provider().term(device));
    }
    return new DeviceListing(
        pool.snapshot().devices(), pool.problems(), terms, details, proven.notices());
  }

  /** Waits for devices that can tell without a context; one that is slow is shown without. */
  private static void awaitAnswers(DevicePool pool) throws InterruptedException {
    long end = System.nanoTime() + FIRST_ANSWERS.toNanos();
    while (System.nanoTime() - end < 0
        && pool.snapshot().devices().stream()
            .anyMatch(entry -> tells(entry.device()) && entry.load().sequence() == 0)) {
      Thread.sleep(LOOK_AGAIN);
    }
  }

  private static boolean tells(Device device) {
    return device.kind().equals(DeviceKind.CUDA)
        || (device.kind().equals(DeviceKind.OPENCL) && device.isOnHostCores());
  }

  /** False once nobody reads any more. */
  private boolean print(DeviceListing listing) {
    PrintWriter out = spec.commandLine().getOut();
    if (watch && !json && Displays.isTerminal()) {
      out.print(CLEAR_SCREEN);
    }
    out.println(json ? listing.json() : listing.table());
    return !out.checkError();
  }
}
