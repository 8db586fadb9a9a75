package dev.fairlead.media.json;

import dev.fairlead.device.Device;
import dev.fairlead.media.job.TranscodeListener.Event;
import dev.fairlead.media.job.TranscodeListener.RungProgress;
import dev.fairlead.media.plan.TranscodePlan;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What a run has done by now, for the last word on one that fails. Not for two threads at once. */
public final class SoFar {
  private @Nullable TranscodePlan plan;
  private List<RungProgress> rungs = List.of();
  private long framesDecoded;
  private final Map<Device, Share> devices = new LinkedHashMap<>();

  private record Share(long chunks, double busySeconds, long failures) {
    static final Share NONE = new Share(0, 0, 0);

    Share and(Share other) {
      return new Share(
          chunks + other.chunks, busySeconds + other.busySeconds, failures + other.failures);
    }
  }

  public void add(Event event) {
    switch (event) {
      case Event.Planned planned -> {
        plan = planned.plan();
        planned.devices().forEach(device -> devices.putIfAbsent(device, Share.NONE));
      }
      case Event.Progress progress -> {
        rungs = progress.rungs();
        framesDecoded = progress.framesDecoded();
      }
      case Event.Committed committed ->
          add(committed.device(), new Share(1, committed.encoded().busySeconds(), 0));
      case Event.Requeued again -> add(again.device(), new Share(0, 0, 1));
      default -> {}
    }
  }

  private void add(Device device, Share share) {
    devices.merge(device, share, Share::and);
  }

  /** Completes the last event of the run. */
  public void writeTo(ObjectNode node) {
    node.put("leadInFrames", 0);
    node.put("makespanOverBound", 0);
    node.put("busyShare", 0);
    node.put("peakMemoryBytes", 0);
    node.put("sourceFramesDecoded", framesDecoded);
    ArrayNode all = node.putArray("rungs");
    if (plan != null) {
      TranscodePlan its = plan;
      its.rungs()
          .forEach(rung -> {
            ObjectNode each =
                all.addObject()
                    .put("name", rung.name())
                    .put("width", rung.width())
                    .put("height", rung.height());
            rungs.stream()
                .filter(progress -> progress.rung().equals(rung.name()))
                .forEach(progress ->
                    each.put("frames", progress.frames())
                        .put("segments", progress.segments())
                        .put("bytes", progress.bytes()));
          });
    }
    ArrayNode fleet = node.putArray("devices");
    devices.forEach((device, share) ->
        fleet
            .addObject()
            .put("id", device.id().value())
            .put("label", device.label())
            .put("name", device.name())
            .put("chunks", share.chunks())
            .put("busySeconds", share.busySeconds())
            .put("failures", share.failures())
            .put("health", "unknown"));
  }
}
