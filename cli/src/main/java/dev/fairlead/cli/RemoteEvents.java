package dev.fairlead.cli;

import dev.fairlead.device.DeviceId;
import dev.fairlead.media.job.JobFacts;
import dev.fairlead.media.job.TranscodeResult;
import dev.fairlead.media.json.JsonEvents;
import dev.fairlead.service.job.JobView;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Events of a job at a service as a transcode of this machine would tell them. */
final class RemoteEvents {
  private RemoteEvents() {}

  /** The same event with paths of this machine. */
  static ObjectNode local(ObjectNode event, JobView job, RemoteOrder order) {
    for (String name : event.propertyNames().stream().toList()) {
      JsonNode value = event.get(name);
      if (value.isString()) {
        event.put(name, local(name, value.asString(), job, order));
      } else if (value instanceof ArrayNode all) {
        for (JsonNode each : all) {
          if (each instanceof ObjectNode object) {
            local(object, job, order);
          }
        }
      }
    }
    return event;
  }

  private static String local(String name, String text, JobView job, RemoteOrder order) {
    return switch (name) {
      case "input" -> order.input().toString();
      case "output", "path", "manifest" ->
          text.startsWith(job.output())
              ? order.output() + text.substring(job.output().length())
              : text;
      default -> text;
    };
  }

  /** The last event of a job whose own was not heard, without its status. */
  static ObjectNode last(JobView job, RemoteOrder order, double seconds) {
    ObjectNode node = JsonEvents.JSON.createObjectNode();
    node.put("event", "finished").put("seconds", seconds);
    node.put("output", order.output().toString());
    ArrayNode rungs = node.putArray("rungs");
    for (JobFacts.Rung rung : job.rungs()) {
      ObjectNode each =
          rungs
              .addObject()
              .put("name", rung.name())
              .put("width", rung.width())
              .put("height", rung.height())
              .put("frames", rung.frames())
              .put("segments", rung.segments())
              .put("bytes", rung.bytes());
      rung.manifest().ifPresent(manifest -> each.put("manifest", manifest));
    }
    ArrayNode devices = node.putArray("devices");
    for (JobFacts.DeviceShare device : job.devices()) {
      devices
          .addObject()
          .put("label", device.label())
          .put("chunks", device.chunks())
          .put("busySeconds", device.busySeconds())
          .put("failures", device.failures());
    }
    return local(node.put("job", job.id()), job, order);
  }

  /** What was made, by the last event; what that does not say is 0 or empty. */
  static TranscodeResult result(ObjectNode last, Path output) {
    List<TranscodeResult.RungResult> rungs = new ArrayList<>();
    for (JsonNode rung : last.path("rungs")) {
      rungs.add(
          new TranscodeResult.RungResult(
              rung.path("name").asString(""),
              rung.path("width").asInt(0),
              rung.path("height").asInt(0),
              rung.path("frames").asLong(0),
              rung.path("segments").asInt(0),
              rung.path("bytes").asLong(0),
              Path.of(rung.path("manifest").asString(""))));
    }
    List<TranscodeResult.DeviceResult> devices = new ArrayList<>();
    for (JsonNode device : last.path("devices")) {
      String label = device.path("label").asString("");
      devices.add(
          new TranscodeResult.DeviceResult(
              new DeviceId(device.path("id").asString(label)),
              label,
              device.path("name").asString(""),
              device.path("chunks").asLong(0),
              device.path("busySeconds").asDouble(0),
              device.path("failures").asLong(0),
              device.path("health").asString("")));
    }
    return new TranscodeResult(
        last.path("status").asString(""),
        output,
        rungs,
        devices,
        last.path("sourceFramesDecoded").asLong(0),
        last.path("leadInFrames").asLong(0),
        last.path("makespanOverBound").asDouble(0),
        last.path("busyShare").asDouble(0),
        last.path("peakMemoryBytes").asLong(0),
        last.path("workerRestarts").asInt(0),
        last.path("restartReason").asString(""));
  }
}
