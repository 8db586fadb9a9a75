package dev.fairlead.media.report;

import dev.fairlead.device.Device;
import dev.fairlead.media.json.JsonEvents;
import dev.fairlead.media.plan.Rung;
import dev.fairlead.media.plan.TranscodePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A run in the trace event format that Perfetto and Chrome open: a track for each device, a slice
 * for each attempt at a chunk, a mark for each notice. Beside them stands what a simulation needs
 * to replay the run: which jobs, rungs and chunks there were, and how large each unit is.
 */
public final class TraceFile {
  private static final int PROCESS = 1;
  public static final double MICROS = 1e6;

  /** Where the format keeps what it does not know. */
  public static final String ABOUT = "otherData";

  /** The version of what stands there. */
  public static final String VERSION = "fairleadTrace";

  private TraceFile() {}

  public static String of(Recording recording) {
    ObjectNode root = JsonEvents.JSON.createObjectNode().put("displayTimeUnit", "ms");
    describe(root.putObject(ABOUT), recording);
    ArrayNode events = root.putArray("traceEvents");
    named(events, "process_name", 0, "fairlead");
    List<String> tracks = new ArrayList<>();
    recording.devices().forEach(device -> track(events, tracks, device.label()));
    for (Recording.Drawn drawn : recording.attempts()) {
      JobRecording.Attempt attempt = drawn.attempt();
      int track = track(events, tracks, drawn.track());
      String name = drawn.what(recording.isOfSeveral());
      ObjectNode slice = event(events, name, "X", attempt.span().from());
      slice
          .put("cat", attempt.unit().rung())
          .put("dur", Math.round(attempt.span().seconds() * MICROS))
          .put("tid", track);
      ObjectNode arguments = slice.putObject("args");
      arguments
          .put("job", drawn.job().id())
          .put("input", drawn.job().name())
          .put("rung", attempt.unit().rung())
          .put("chunk", attempt.unit().chunk())
          .put("outcome", attempt.ending().name().toLowerCase(Locale.ROOT))
          .put("frames", attempt.yield().frames())
          .put("bytes", attempt.yield().bytes())
          .put("seconds", attempt.span().seconds())
          .put("device", attempt.device().label());
      if (!attempt.detail().isEmpty()) {
        arguments.put("reason", attempt.detail());
      }
    }
    for (JobRecording.Notice notice : recording.notices()) {
      event(events, notice.what(), "i", notice.seconds()).put("s", "p").put("tid", 0);
    }
    return JsonEvents.JSON.writeValueAsString(root);
  }

  private static void describe(ObjectNode about, Recording recording) {
    about.put(VERSION, 1).put("seconds", recording.seconds());
    ArrayNode jobs = about.putArray("jobs");
    ArrayNode rungs = about.putArray("rungs");
    for (JobRecording job : recording.jobs()) {
      jobs.addObject()
          .put("job", job.id())
          .put("input", job.name())
          .put("state", job.state())
          .put("seconds", job.seconds() - job.begun());
      job.plan().ifPresent(plan -> plan.rungs().forEach(rung -> describe(rungs, job, plan, rung)));
    }
    ArrayNode devices = about.putArray("devices");
    for (Device device : recording.devices()) {
      devices
          .addObject()
          .put("label", device.label())
          .put("name", device.name())
          .put("weight", device.weight())
          .put("slots", device.slots());
    }
    about.put("finished", recording.jobs().stream().allMatch(job -> job.result().isPresent()));
  }

  private static void describe(ArrayNode rungs, JobRecording job, TranscodePlan plan, Rung rung) {
    rungs
        .addObject()
        .put("job", job.id())
        .put("name", rung.name())
        .put("size", (double) rung.width() * rung.height() * plan.grid().frames() / 1e6);
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
