package dev.fairlead.cli;

import dev.fairlead.device.Discovery;
import dev.fairlead.dispatch.Dispatcher;
import dev.fairlead.dispatch.Outcome;
import dev.fairlead.dispatch.Terms;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Policies;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.PoolOptions;
import dev.fairlead.pool.PoolSnapshot;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Shows the scheduler at work: real frames, blurred on every device, checked against a plain loop.
 */
@Command(
    name = "demo",
    description = {
      "Blur a batch of frames on all devices and show what each did.",
      "Try --devices cpu:2,cpu:1*0.25 to see a slow device get its fair share."
    },
    mixinStandardHelpOptions = true)
final class DemoCommand implements Runnable {
  private static final int TRIES = 3;

  @Spec private CommandSpec spec;

  @Option(
      names = "--devices",
      paramLabel = "TERMS",
      defaultValue = "all",
      description = "Which devices: all, cpu, cpu:4, cpu:2,cpu:1*0.25 (default: all).")
  private String terms;

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      defaultValue = "adaptive",
      description =
          "round-robin, least-loaded, weighted, adaptive, power-of-two or earliest-finish"
              + " (default: ${DEFAULT-VALUE}).")
  private String policy;

  @Option(
      names = "--frames",
      paramLabel = "N",
      defaultValue = "300",
      description = "How many frames (default: ${DEFAULT-VALUE}).")
  private int frames;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields before it runs a command
  DemoCommand() {}

  @Override
  public void run() {
    if (frames < 1) {
      throw new IllegalArgumentException("--frames is less than one: " + frames);
    }
    PoolOptions options = PoolOptions.usual().withPolicy(Policies.named(policy));
    try (DevicePool pool = DevicePool.open(Discovery.find(terms), options);
        Dispatcher dispatcher = Dispatcher.on(pool, 2 * pool.size())) {
      demonstrate(pool, dispatcher);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", interrupted);
    }
  }

  private void demonstrate(DevicePool pool, Dispatcher dispatcher) throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    List<Frame> batch = IntStream.range(0, frames).mapToObj(Frame::new).toList();
    Demand demand = Demand.of("blur", 1);
    out.printf("Blurring %d frames on %s, placed by %s%n", frames, pool.devices(), policy);
    out.flush();
    long begun = System.nanoTime();
    List<Outcome<Long>> outcomes =
        dispatcher.distribute(
            batch, demand, (frame, slot) -> frame.blurred(), Terms.once().withTries(TRIES));
    Duration elapsed = Duration.ofNanos(System.nanoTime() - begun);
    out.print(table(pool.snapshot(), elapsed));
    out.printf(
        Locale.ROOT,
        "%d frames in %.2f s, %.1f frames/s%n",
        frames,
        elapsed.toNanos() / 1e9,
        frames * 1e9 / elapsed.toNanos());
    check(batch, outcomes);
    out.println("Every frame is there, in order, and equal to what a plain loop makes of it.");
    out.println();
    out.println("The next frame would be placed like this:");
    out.println(pool.explain(demand));
    out.flush();
  }

  private static void check(List<Frame> batch, List<Outcome<Long>> outcomes) {
    LongStream plain = batch.stream().mapToLong(Frame::blurred);
    long[] expected = plain.toArray();
    for (int i = 0; i < expected.length; i++) {
      if (outcomes.get(i).orThrow() != expected[i]) {
        throw new IllegalStateException("Frame %d differs from the plain loop's".formatted(i));
      }
    }
  }

  private static String table(PoolSnapshot snapshot, Duration elapsed) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            "%-10s %7s %7s %10s %10s  %s%n",
            "DEVICE", "FRAMES", "BUSY", "FRAMES/S", "P95", "NAME"));
    for (PoolSnapshot.Entry entry : snapshot.devices()) {
      text.append(
          String.format(
              Locale.ROOT,
              "%-10s %7d %6.0f%% %10.1f %7.1f ms  %s%n",
              entry.device(),
              entry.stats().completed(),
              100.0 * entry.stats().busy().toNanos() / elapsed.toNanos(),
              entry.stats().rate(),
              entry.stats().latency().p95().toNanos() / 1e6,
              entry.device().name()));
    }
    return text.toString();
  }
}
