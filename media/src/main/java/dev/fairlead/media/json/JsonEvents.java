package dev.fairlead.media.json;

import dev.fairlead.device.Device;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.job.TranscodeListener.Event;
import dev.fairlead.media.job.TranscodeListener.RungProgress;
import dev.fairlead.media.job.TranscodeResult;
import dev.fairlead.media.plan.MemoryParts;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.policy.Turn;
import dev.fairlead.units.Assignment;
import java.util.Locale;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Events of a transcode as JSON objects; each has {@code event} and {@code seconds}. */
public final class JsonEvents {
  /** In plain ASCII, so that no locale of a terminal spoils a name. */
  public static final JsonMapper JSON =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private JsonEvents() {}

  public static ObjectNode of(Event event) {
    return switch (event) {
      case Event.Planned planned ->
          planned(planned.plan(), planned.devices(), planned.memory().sum())
              .put("resumed", planned.resumed())
              .set("memory", memory(planned.memory()));
      case Event.Assigned assigned -> assigned(assigned);
      case Event.Started started ->
          unit("started", started.seconds(), started.unit(), started.device())
              .put("offeredSeconds", started.offeredSeconds());
      case Event.Committed committed ->
          unit("committed", committed.seconds(), committed.unit(), committed.device())
              .put("frames", committed.encoded().frames())
              .put("bytes", committed.encoded().bytes())
              .put("fromSeconds", committed.encoded().fromSeconds())
              .put("busySeconds", committed.encoded().busySeconds());
      case Event.Requeued again ->
          unit("requeued", again.seconds(), again.unit(), again.device())
              .put("reason", again.reason());
      case Event.SegmentWritten segment ->
          event("segment", segment.seconds())
              .put("rung", segment.rung())
              .put("path", segment.path().toString())
              .put("bytes", segment.bytes())
              .put("sha256", segment.sha256());
      case Event.RungWritten rung ->
          event("rung", rung.seconds())
              .put("rung", rung.rung())
              .put("manifest", rung.manifest().toString())
              .put("bytes", rung.bytes());
      case Event.Progress progress -> {
        ObjectNode node = event("progress", progress.seconds());
        node.put("framesDecoded", progress.framesDecoded());
        ArrayNode rungs = node.putArray("rungs");
        progress.rungs().forEach(each -> rungs.add(rung(each)));
        ArrayNode sounds = node.putArray("sounds");
        progress
            .sounds()
            .forEach(each ->
                sounds
                    .addObject()
                    .put("name", each.track())
                    .put("status", each.status().name().toLowerCase(Locale.ROOT))
                    .put("share", each.share())
                    .put("seconds", each.seconds()));
        yield node;
      }
      case Event.Noticed noticed -> {
        ObjectNode node = event("notice", noticed.seconds()).put("what", noticed.what());
        if (!noticed.interrupted().isEmpty()) {
          ArrayNode units = node.putArray("interrupted");
          noticed.interrupted().forEach(unit -> units.add(unit.toString()));
        }
        yield node;
      }
      case Event.Finished finished -> finished(finished.seconds(), finished.result());
    };
  }

  /** The plan, before anything is done. */
  public static ObjectNode planned(TranscodePlan plan, Iterable<Device> devices, long memoryBytes) {
    ObjectNode node = event("planned", 0);
    node.put("input", plan.request().input().toString());
    node.put("output", plan.request().output().toString());
    node.put("codec", plan.video().codec().name());
    ArrayNode rungs = node.putArray("rungs");
    plan.rungs()
        .forEach(rung ->
            rungs
                .addObject()
                .put("name", rung.name())
                .put("width", rung.width())
                .put("height", rung.height())
                .put("crf", rung.crf()));
    plan.expectedChunks().ifPresent(chunks -> node.put("expectedChunks", chunks));
    plan.expectedFrames().ifPresent(frames -> node.put("expectedFrames", frames));
    node.put("chunkSeconds", plan.grid().seconds().value());
    node.put("chunksPerSegment", plan.grid().chunksPerSegment());
    node.put("memoryBytes", memoryBytes);
    node.put("leastMemoryBytes", plan.memory().least(plan.memory().lane()));
    ArrayNode audio = node.putArray("audio");
    plan.audio()
        .forEach(track ->
            audio
                .addObject()
                .put("name", track.name())
                .put("action", track.action().name())
                .put("channels", track.channels()));
    ArrayNode names = node.putArray("devices");
    devices.forEach(device -> names.add(device.label()));
    ArrayNode notes = node.putArray("notes");
    plan.notes().forEach(notes::add);
    return node;
  }

  private static ObjectNode memory(MemoryParts parts) {
    return JSON.createObjectNode()
        .put("processes", parts.processes())
        .put("decoders", parts.decoders())
        .put("pictures", parts.pictures())
        .put("encoders", parts.encoders())
        .put("sound", parts.sound());
  }

  private static ObjectNode finished(double seconds, TranscodeResult result) {
    ObjectNode node = event("finished", seconds);
    node.put("status", result.status());
    node.put("output", result.output().toString());
    node.put("sourceFramesDecoded", result.sourceFramesDecoded());
    node.put("leadInFrames", result.leadInFrames());
    node.put("makespanOverBound", result.makespanOverBound());
    node.put("busyShare", result.busyShare());
    node.put("peakMemoryBytes", result.peakMemoryBytes());
    node.put("workerRestarts", result.workerRestarts());
    node.put("restartReason", result.restartReason());
    ArrayNode rungs = node.putArray("rungs");
    for (TranscodeResult.RungResult rung : result.rungs()) {
      rungs
          .addObject()
          .put("name", rung.name())
          .put("width", rung.width())
          .put("height", rung.height())
          .put("frames", rung.frames())
          .put("segments", rung.segments())
          .put("bytes", rung.bytes())
          .put("manifest", rung.manifest().toString());
    }
    ArrayNode devices = node.putArray("devices");
    for (TranscodeResult.DeviceResult device : result.devices()) {
      devices
          .addObject()
          .put("id", device.id().value())
          .put("label", device.label())
          .put("name", device.name())
          .put("chunks", device.chunks())
          .put("busySeconds", device.busySeconds())
          .put("failures", device.failures())
          .put("health", device.health().toLowerCase(Locale.ROOT));
    }
    return node;
  }

  /**
   * The last event of a run that did not come to a good end, as far as it does not depend on why;
   * {@link SoFar#writeTo} completes it.
   */
  public static ObjectNode failed(double seconds, TranscodeException failure) {
    boolean cancelled = failure instanceof TranscodeException.Cancelled;
    return event("finished", seconds).put("status", cancelled ? "cancelled" : "failed");
  }

  private static ObjectNode event(String name, double seconds) {
    return JSON.createObjectNode().put("event", name).put("seconds", seconds);
  }

  private static ObjectNode unit(String name, double seconds, UnitId unit, Device device) {
    return event(name, seconds)
        .put("rung", unit.rung())
        .put("chunk", unit.chunk())
        .put("device", device.label());
  }

  private static ObjectNode assigned(Event.Assigned assigned) {
    ObjectNode node =
        unit("assigned", assigned.seconds(), assigned.unit(), assigned.device())
            .put("asClone", assigned.why().asClone());
    ArrayNode candidates = node.putArray("candidates");
    for (Assignment.Candidate each : assigned.why().candidates()) {
      ObjectNode candidate = candidates.addObject().put("device", each.device().label());
      each.seconds().ifPresent(seconds -> candidate.put("predictedSeconds", seconds));
      candidate.put("reason", each.reason());
    }
    assigned
        .why()
        .turn()
        .map(Turn::served)
        .ifPresent(served ->
            node.putObject("turn")
                .put("tenant", served.tenant())
                .put("why", "it " + served.reason()));
    return node;
  }

  private static ObjectNode rung(RungProgress progress) {
    return JSON.createObjectNode()
        .put("name", progress.rung())
        .put("status", progress.status().name().toLowerCase(Locale.ROOT))
        .put("share", progress.share())
        .put("frames", progress.frames())
        .put("chunks", progress.chunks())
        .put("segments", progress.segments())
        .put("bytes", progress.bytes())
        .put("framesPerSecond", progress.framesPerSecond())
        .put("secondsLeft", progress.secondsLeft());
  }
}
