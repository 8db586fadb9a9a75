package dev.fairlead.cli;

import dev.fairlead.media.json.JsonEvents;
import dev.fairlead.stats.CostCurve;
import dev.fairlead.stats.CostModel;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Shows what has been learned of what work costs on which device. */
@Command(
    name = "model",
    description = "Show what this machine has learned of what work costs on which device.",
    mixinStandardHelpOptions = true)
final class ModelCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Option(
      names = "--model",
      paramLabel = "FILE",
      description = "The file (default: the one of this machine).")
  private @Nullable String file;

  @Option(names = "--json", description = "Print one JSON object on one line.")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields before it runs a command
  ModelCommand() {}

  @Override
  public void run() {
    ModelFile from;
    CostModel model;
    try {
      from =
          ModelFile.of(file)
              .orElseThrow(() -> new IllegalArgumentException("--model none shows nothing"));
      model = from.read();
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), String.valueOf(wrong.getMessage()), wrong);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(json(from, model));
    } else if (model.entries().isEmpty()) {
      out.println("Nothing has been learned yet; it would be kept in " + from.path());
    } else {
      out.print(table(model));
      out.println("\nKept in " + from.path());
    }
    out.flush();
  }

  private static String table(CostModel model) {
    Table table =
        new Table(
            "<<>>>>>", "DEVICE", "KIND OF WORK", "FIXED", "PER SIZE", "NOISE", "SAMPLES", "TRUST");
    for (CostModel.Entry entry : model.entries()) {
      CostCurve curve = entry.curve();
      boolean known = !Double.isNaN(curve.perSize());
      table.row(
          entry.device().toString(),
          entry.kind(),
          known ? SimulationText.seconds(curve.fixedSeconds()) : "–",
          known ? String.format(Locale.ROOT, "%.4g s", slope(curve)) : "–",
          known ? String.format(Locale.ROOT, "%.0f %%", 100 * curve.noise()) : "–",
          String.valueOf(curve.samples()),
          String.format(Locale.ROOT, "%.2f", curve.confidence()));
    }
    return table.toString();
  }

  private static double slope(CostCurve curve) {
    return curve.seconds(1) - curve.fixedSeconds();
  }

  private static String json(ModelFile from, CostModel model) {
    ObjectNode root = JsonEvents.JSON.createObjectNode().put("file", from.path().toString());
    ArrayNode entries = root.putArray("entries");
    for (CostModel.Entry entry : model.entries()) {
      CostCurve curve = entry.curve();
      ObjectNode node =
          entries
              .addObject()
              .put("device", entry.device().toString())
              .put("kind", entry.kind())
              .put("samples", curve.samples())
              .put("confidence", curve.confidence())
              .put("known", !Double.isNaN(curve.perSize()));
      if (!Double.isNaN(curve.perSize())) {
        node.put("fixedSeconds", curve.fixedSeconds())
            .put("secondsPerSize", slope(curve))
            .put("noise", curve.noise());
      }
    }
    return JsonEvents.JSON.writeValueAsString(root);
  }
}
