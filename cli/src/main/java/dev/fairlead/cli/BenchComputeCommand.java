package dev.fairlead.cli;

import dev.fairlead.benchmarks.ComputeBench;
import java.util.Locale;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.util.RawValue;

/** Measures computing on all OpenCL devices and CPU lanes. */
@Command(
    name = "compute",
    description =
        "Blur 1080p frames on all OpenCL devices and CPU lanes, compare each with a plain "
            + "Java loop, and measure one part of a device against two. Quiet machines give "
            + "steadier figures.",
    mixinStandardHelpOptions = true)
final class BenchComputeCommand extends BenchRun {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @Option(
      names = "--devices",
      paramLabel = "TERMS",
      defaultValue = "",
      description =
          "Which devices share the frames (default: every OpenCL device, those on the processor in"
              + " two parts, and the CPU lanes).")
  private String terms;

  @Option(
      names = "--frames",
      paramLabel = "N",
      defaultValue = "60",
      description = "Frames a round and device (default: ${DEFAULT-VALUE}).")
  private int frames;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields before it runs a command
  BenchComputeCommand() {}

  @Override
  Answer measure(int rounds, Consumer<String> progress) throws InterruptedException {
    if (frames < 1) {
      throw new IllegalArgumentException("--frames is at least one");
    }
    ComputeBench.Figures figures = ComputeBench.run(terms, rounds, frames, progress);
    String wrong =
        figures.isVerified()
            ? ""
            : "%d blurred frames differ from the plain Java loop's"
                .formatted(figures.compared() - figures.same());
    return new Answer(json(figures), table(figures), wrong);
  }

  static String json(ComputeBench.Figures figures) {
    ObjectNode root = JSON.createObjectNode();
    ArrayNode devices = root.putArray("devices");
    figures
        .shares()
        .forEach(share ->
            number(
                devices
                    .addObject()
                    .put("id", share.device().id().value())
                    .put("name", share.device().name())
                    .put("frames", share.frames()),
                "framesPerSecond",
                share.framesPerSecond()));
    number(root, "framesPerSecond", figures.framesPerSecond());
    root.put("verified", figures.isVerified()).put("verifiedFrames", figures.same());
    number(root, "oneFramesPerSecond", figures.oneFramesPerSecond());
    number(root, "twoFramesPerSecond", figures.twoFramesPerSecond());
    number(root, "scaling", figures.scaling());
    number(root, "schedulerShare", figures.schedulerShare());
    return JSON.writeValueAsString(root);
  }

  /** With four digits, which is more than a run repeats. */
  private static void number(ObjectNode node, String name, double value) {
    if (Double.isNaN(value)) {
      node.putNull(name);
    } else {
      node.putRawValue(name, new RawValue(String.format(Locale.ROOT, "%.4f", value)));
    }
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
        "1080p RGBA frames, blurred by all devices at once%n%n%s%n%.1f frames a second in all; %d of"
            + " %d are the same as the plain Java loop's, byte for byte.%n%s",
        table,
        figures.framesPerSecond(),
        figures.same(),
        figures.compared(),
        scaling);
  }
}
