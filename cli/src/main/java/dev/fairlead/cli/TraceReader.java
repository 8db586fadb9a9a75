package dev.fairlead.cli;

import dev.fairlead.media.json.JsonEvents;
import dev.fairlead.media.report.TraceFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;

/** Reads what {@link TraceFile} wrote, as a run that can be done again. */
final class TraceReader {
  /** A rung of a job; traces of one job may lack its id. */
  private record Kind(String job, String rung) {}

  private final Path file;
  private final List<Kind> kinds = new ArrayList<>();
  private final List<String> labels = new ArrayList<>();
  private final List<Double> sizes = new ArrayList<>();

  private TraceReader(Path file) {
    this.file = file;
  }

  static Replay read(Path file) {
    return new TraceReader(file).read();
  }

  private Replay read() {
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
      kinds.add(new Kind(rung.path("job").asString(""), text(rung, where, "name")));
      sizes.add(positive(rung, where, "size"));
    }
    if (kinds.isEmpty()) {
      throw wrong(TraceFile.ABOUT + ".rungs", "is missing or empty");
    }
    List<Replay.Recorded> listed = devices(about.path("devices"));
    listed.forEach(device -> labels.add(device.label()));
    Map<String, String> inputs = new HashMap<>();
    for (JsonNode job : about.path("jobs")) {
      inputs.put(job.path("job").asString(""), job.path("input").asString(""));
    }
    List<Replay.Unit> units = units(root.path("traceEvents"));
    List<String> jobs = kinds.stream().map(Kind::job).distinct().toList();
    jobs.forEach(job -> requireWhole(job, inputs.getOrDefault(job, ""), units));
    List<String> rungs =
        kinds.stream()
            .map(kind ->
                jobs.size() == 1
                    ? kind.rung
                    : inputs.getOrDefault(kind.job, kind.job) + " " + kind.rung)
            .toList();
    List<Replay.Recorded> recorded = new ArrayList<>(listed);
    labels.stream()
        .skip(listed.size())
        .forEach(label -> recorded.add(new Replay.Recorded(label, 1, 1)));
    return new Replay(rungs, recorded, units, gaps(root.path("traceEvents")));
  }

  /** All rungs of a job have the same chunks if all were made in this run. */
  private void requireWhole(String job, String input, List<Replay.Unit> all) {
    long rungs = kinds.stream().filter(kind -> kind.job.equals(job)).count();
    List<Replay.Unit> units =
        all.stream().filter(unit -> kinds.get(unit.rung()).job.equals(job)).toList();
    long chunks = units.stream().mapToLong(Replay.Unit::chunk).distinct().count();
    if (units.isEmpty() || units.size() != chunks * rungs) {
      throw wrong(
          "traceEvents",
          "holds %d committed chunks%s, not %d rungs × %d: the run was not finished, or was resumed"
              .formatted(units.size(), input.isEmpty() ? "" : " of " + input, rungs, chunks));
    }
  }

  /** The devices of the run, those that encoded nothing among them. */
  private List<Replay.Recorded> devices(JsonNode nodes) {
    List<Replay.Recorded> devices = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      JsonNode node = nodes.get(i);
      String where = "%s.devices[%d]".formatted(TraceFile.ABOUT, i);
      devices.add(
          new Replay.Recorded(
              text(node, where, "label"),
              (int) positive(node, where, "slots"),
              node.has("weight") ? positive(node, where, "weight") : 1));
    }
    return devices;
  }

  /** What passed between one attempt and the next on each track, in seconds. */
  private static List<Double> gaps(JsonNode events) {
    Map<Integer, TreeMap<Long, Long>> tracks = new HashMap<>();
    for (JsonNode event : events) {
      if (event.path("ph").asString("").equals("X")) {
        tracks
            .computeIfAbsent(event.path("tid").asInt(0), track -> new TreeMap<>())
            .put(event.path("ts").asLong(0), event.path("dur").asLong(0));
      }
    }
    List<Double> gaps = new ArrayList<>();
    for (TreeMap<Long, Long> track : tracks.values()) {
      track.forEach((from, micros) -> {
        Long next = track.higherKey(from);
        if (next != null && next >= from + micros) {
          gaps.add((next - from - micros) / TraceFile.MICROS);
        }
      });
    }
    return gaps;
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

  private List<Replay.Unit> units(JsonNode events) {
    List<Replay.Unit> units = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < events.size(); i++) {
      JsonNode arguments = events.get(i).path("args");
      if (!arguments.path("outcome").asString("").equals("committed")) {
        continue;
      }
      String where = "traceEvents[%d].args".formatted(i);
      Kind kind = new Kind(arguments.path("job").asString(""), text(arguments, where, "rung"));
      int rung = kinds.indexOf(kind);
      if (rung < 0) {
        throw wrong(
            where + ".rung",
            "is none of "
                + kinds.stream()
                    .filter(each -> each.job.equals(kind.job))
                    .map(Kind::rung)
                    .collect(Collectors.joining(", ")));
      }
      if (!arguments.path("chunk").isIntegralNumber()) {
        throw wrong(where + ".chunk", "is no whole number");
      }
      long chunk = arguments.path("chunk").asLong();
      if (!seen.add(rung + "/" + chunk)) {
        throw wrong(where + ".chunk", "was committed twice");
      }
      units.add(
          new Replay.Unit(
              rung,
              chunk,
              sizes.get(rung),
              device(text(arguments, where, "device")),
              positive(arguments, where, "seconds")));
    }
    return units;
  }

  private int device(String label) {
    if (!labels.contains(label)) {
      labels.add(label);
    }
    return labels.indexOf(label);
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
