package dev.fairlead.cli;

import dev.fairlead.simulator.workload.Workload;
import dev.fairlead.simulator.workload.Workloads;
import dev.fairlead.simulator.workload.Workloads.Given;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;

/**
 * The chunks of a run that {@link TraceFile} wrote, as work that can be done again: each costs what
 * it cost where it was encoded, and all wait from the beginning.
 */
final class TraceReader {
  private final Path file;
  private final List<String> rungs = new ArrayList<>();
  private final List<Double> sizes = new ArrayList<>();

  private TraceReader(Path file) {
    this.file = file;
  }

  static Workload read(Path file) {
    return new TraceReader(file).read();
  }

  private Workload read() {
    JsonNode root = parse();
    JsonNode about = root.path(TraceFile.ABOUT);
    if (!root.isObject() || !about.has(TraceFile.VERSION)) {
      throw wrong(
          TraceFile.ABOUT + "." + TraceFile.VERSION,
          "is missing: this is no trace of 'fairlead transcode --trace'");
    }
    if (about.path(TraceFile.VERSION).asInt(0) != 1) {
      throw wrong(
          TraceFile.ABOUT + "." + TraceFile.VERSION,
          "is %s; this program reads version 1".formatted(about.get(TraceFile.VERSION)));
    }
    int number = 0;
    for (JsonNode rung : about.path("rungs")) {
      String where = "%s.rungs[%d]".formatted(TraceFile.ABOUT, number++);
      rungs.add(text(rung, where, "name"));
      sizes.add(positive(rung, where, "size"));
    }
    if (rungs.isEmpty()) {
      throw wrong(TraceFile.ABOUT + ".rungs", "is missing or empty");
    }
    List<Given> units = units(root.path("traceEvents"));
    long chunks = units.stream().mapToLong(Given::order).distinct().count();
    if (units.isEmpty() || units.size() != chunks * rungs.size()) {
      throw wrong(
          "traceEvents",
          "holds %d committed chunks, not %d rungs × %d: the run was not finished, or was resumed"
              .formatted(units.size(), rungs.size(), chunks));
    }
    return Workloads.given("trace", rungs, units);
  }

  private JsonNode parse() {
    String text;
    try {
      text = Files.readString(file);
    } catch (java.nio.charset.CharacterCodingException binary) {
      throw new IllegalArgumentException(file + ": is not a text file", binary);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    try {
      return JsonEvents.JSON.readTree(text);
    } catch (JacksonException bad) {
      TokenStreamLocation at = bad.getLocation();
      throw new IllegalArgumentException(
          "%s line %d column %d: is no whole JSON document (%s)"
              .formatted(
                  file,
                  at == null ? 1 : at.getLineNr(),
                  at == null ? 1 : at.getColumnNr(),
                  bad.getOriginalMessage()),
          bad);
    }
  }

  private List<Given> units(JsonNode events) {
    List<Given> units = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < events.size(); i++) {
      JsonNode arguments = events.get(i).path("args");
      if (!arguments.path("outcome").asString("").equals("committed")) {
        continue;
      }
      String where = "traceEvents[%d].args".formatted(i);
      int rung = rungs.indexOf(text(arguments, where, "rung"));
      if (rung < 0) {
        throw wrong(where + ".rung", "is none of " + rungs);
      }
      if (!arguments.path("chunk").isIntegralNumber()) {
        throw wrong(where + ".chunk", "is no whole number");
      }
      long chunk = arguments.path("chunk").asLong();
      if (!seen.add(rung + "/" + chunk)) {
        throw wrong(where + ".chunk", "was committed twice");
      }
      units.add(new Given(0, rung, chunk, sizes.get(rung), positive(arguments, where, "seconds")));
    }
    units.sort(Comparator.comparingLong(Given::order).thenComparingInt(Given::group));
    return units;
  }

  private String text(JsonNode node, String where, String name) {
    if (!node.path(name).isString()) {
      throw wrong(where + "." + name, "is missing or no text");
    }
    return node.get(name).asString();
  }

  private double positive(JsonNode node, String where, String name) {
    double value = node.path(name).isNumber() ? node.get(name).asDouble() : Double.NaN;
    if (!(value > 0) || Double.isInfinite(value)) {
      throw wrong(where + "." + name, "is missing or not positive");
    }
    return value;
  }

  private IllegalArgumentException wrong(String field, String what) {
    return new IllegalArgumentException("%s: %s %s".formatted(file, field, what));
  }
}
