package dev.fairlead.cli;

import dev.fairlead.benchmarks.ComputeBench;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures computing on all OpenCL devices and CPU lanes. */
@Command(
    name = "compute",
    description = {
      "Blur 1080p frames on all OpenCL devices and CPU lanes, compare each with a plain Java loop,",
      "and measure one part of a device against two. Quiet machines give steadier figures."
    },
    mixinStandardHelpOptions = true)
final class BenchComputeCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Option(
      names = "--devices",
      paramLabel = "TERMS",
      defaultValue = "",
      description =
          "Which devices share the frames (default: every OpenCL device, those on the processor in"
              + " two parts, and the CPU lanes).")
  private String terms;

  @Option(names = "--json", description = "Print one JSON object on one line.")
  private boolean json;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "Rounds; a figure is the median (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--frames",
      paramLabel = "N",
      defaultValue = "60",
      description = "Frames a round and device (default: ${DEFAULT-VALUE}).")
  private int frames;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields before it runs a command
  BenchComputeCommand() {}

  @Override
  public void run() {
    if (rounds < 1 || frames < 1) {
      throw new IllegalArgumentException("--rounds and --frames are at least one");
    }
    PrintWriter progress = spec.commandLine().getErr();
    PrintWriter out = spec.commandLine().getOut();
    try {
      ComputeBench.Figures figures =
          ComputeBench.run(
              terms,
              rounds,
              frames,
              line -> {
                progress.println(line);
                progress.flush();
              });
      out.println(json ? json(figures) : table(figures));
      out.flush();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", interrupted);
    }
  }

  static String json(ComputeBench.Figures figures) {
    String devices =
        figures.shares().stream()
            .map(share ->
                "{\"id\":%s,\"name\":%s,\"frames\":%d,\"framesPerSecond\":%s}"
                    .formatted(
                        Json.string(share.device().id().value()),
                        Json.string(share.device().name()),
                        share.frames(),
                        number(share.framesPerSecond())))
            .collect(Collectors.joining(",", "[", "]"));
    return "{\"devices\":%s,\"framesPerSecond\":%s,\"verified\":true,\"verifiedFrames\":%d,"
            .formatted(devices, number(figures.framesPerSecond()), figures.verified())
        + "\"oneFramesPerSecond\":%s,\"twoFramesPerSecond\":%s,\"scaling\":%s,\"schedulerShare\":%s}"
            .formatted(
                number(figures.oneFramesPerSecond()),
                number(figures.twoFramesPerSecond()),
                number(figures.scaling()),
                number(figures.schedulerShare()));
  }

  private static String number(double value) {
    return Double.isNaN(value) ? "null" : String.format(Locale.ROOT, "%.4f", value);
  }

  static String table(ComputeBench.Figures figures) {
    Table table = new Table("<>>", "ID", "FRAMES", "FRAMES/S");
    figures
        .shares()
        .forEach(share ->
            table.row(
                share.device().id().value(),
                String.valueOf(share.frames()),
                String.format(Locale.ROOT, "%.1f", share.framesPerSecond())));
    String scaling =
        Double.isNaN(figures.scaling())
            ? "There is no OpenCL device to measure in parts."
            : String.format(
                Locale.ROOT,
                "%.1f frames/s on one part of a device, %.1f on two: %.2f times as many.%n"
                    + "The scheduler takes %.2f %% of the time.",
                figures.oneFramesPerSecond(),
                figures.twoFramesPerSecond(),
                figures.scaling(),
                100 * figures.schedulerShare());
    return String.format(
        Locale.ROOT,
        "1080p RGBA frames, blurred by all devices at once%n%n%s%n%d frames, each the same as the"
            + " plain Java loop's, %.1f a second in all.%n%s",
        table,
        figures.verified(),
        figures.framesPerSecond(),
        scaling);
  }
}
