package dev.fairlead.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A run in the trace event format that Perfetto and Chrome open: a track for each device, a slice
 * for each attempt at a chunk, a mark for each notice.
 */
final class TraceFile {
  private static final int PROCESS = 1;
  private static final double MICROS = 1e6;

  private TraceFile() {}

  static String of(Recording recording) {
    ObjectNode root = JsonEvents.JSON.createObjectNode().put("displayTimeUnit", "ms");
    ArrayNode events = root.putArray("traceEvents");
    named(events, "process_name", 0, "fairlead");
    List<String> tracks = new ArrayList<>();
    recording.devices().forEach(device -> track(events, tracks, device.label()));
    for (Recording.Attempt attempt : recording.attempts()) {
      String label = attempt.device().label();
      int track =
          track(events, tracks, attempt.lane() == 0 ? label : label + " #" + (attempt.lane() + 1));
      ObjectNode slice = event(events, attempt.unit().toString(), "X", attempt.span().from());
      slice
          .put("cat", attempt.unit().rung())
          .put("dur", Math.round(attempt.span().seconds() * MICROS))
          .put("tid", track);
      ObjectNode arguments = slice.putObject("args");
      arguments
          .put("rung", attempt.unit().rung())
          .put("chunk", attempt.unit().chunk())
          .put("outcome", attempt.ending().name().toLowerCase(Locale.ROOT))
          .put("frames", attempt.yield().frames())
          .put("bytes", attempt.yield().bytes());
      if (!attempt.detail().isEmpty()) {
        arguments.put("reason", attempt.detail());
      }
    }
    for (Recording.Notice notice : recording.notices()) {
      event(events, notice.what(), "i", notice.seconds()).put("s", "p").put("tid", 0);
    }
    return JsonEvents.JSON.writeValueAsString(root);
  }

  private static int track(ArrayNode events, List<String> tracks, String name) {
    if (!tracks.contains(name)) {
      tracks.add(name);
      named(events, "thread_name", tracks.size(), name);
    }
    return tracks.indexOf(name) + 1;
  }

  private static void named(ArrayNode events, String what, int track, String name) {
    ObjectNode node = event(events, what, "M", 0).put("tid", track);
    node.putObject("args").put("name", name);
  }

  private static ObjectNode event(ArrayNode events, String name, String phase, double seconds) {
    return events
        .addObject()
        .put("name", name)
        .put("ph", phase)
        .put("ts", Math.round(seconds * MICROS))
        .put("pid", PROCESS);
  }
}
