package dev.fairlead.cli;

import dev.fairlead.device.Device;
import dev.fairlead.media.job.TranscodeListener.Event;
import dev.fairlead.media.store.UnitId;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What each device does now, as far as events have told it. */
final class LiveLanes {
  /**
   * A chunk of a job.
   *
   * @param job what people call it; empty if there is but one
   */
  private record Chunk(String job, UnitId unit) {
    @Override
    public String toString() {
      return job.isEmpty()
          ? unit.toString()
          : StyledText.shortened(job, LiveScreen.LONGEST_NAME) + " " + unit;
    }
  }

  private static final class State {
    private final Map<Chunk, Double> doing = new LinkedHashMap<>();
    private int chunks;
    private int failures;

    LiveScreen.Lane shown(String label) {
      return new LiveScreen.Lane(
          label,
          doing.keySet().stream().map(Chunk::toString).toList(),
          doing.values().stream().mapToDouble(Double::doubleValue).min().orElse(0),
          chunks,
          failures);
    }
  }

  private final Map<String, State> lanes = new LinkedHashMap<>();
  private final Set<Chunk> done = new HashSet<>();

  /** Takes an event of a job. */
  void on(String job, Event event) {
    switch (event) {
      case Event.Planned planned -> planned.devices().forEach(this::lane);
      case Event.Started started -> {
        Chunk chunk = new Chunk(job, started.unit());
        if (!done.contains(chunk)) { // a start can be heard of after its end
          lane(started.device()).doing.put(chunk, started.seconds());
        }
      }
      case Event.Committed committed -> {
        Chunk chunk = new Chunk(job, committed.unit());
        done.add(chunk);
        stopped(chunk);
        lane(committed.device()).chunks++;
      }
      case Event.Requeued again -> {
        lane(again.device()).doing.remove(new Chunk(job, again.unit()));
        lane(again.device()).failures++;
      }
      case Event.Noticed noticed ->
          noticed.interrupted().forEach(unit -> stopped(new Chunk(job, unit)));
      case Event.Finished _ -> left(job);
      case Event.Assigned _, Event.Progress _, Event.SegmentWritten _, Event.RungWritten _ -> {}
    }
  }

  private State lane(Device device) {
    return lanes.computeIfAbsent(device.label(), any -> new State());
  }

  private void stopped(Chunk chunk) {
    lanes.values().forEach(lane -> lane.doing.remove(chunk));
  }

  /** Nothing of a job runs any more. */
  void left(String job) {
    lanes.values().forEach(lane -> lane.doing.keySet().removeIf(chunk -> chunk.job.equals(job)));
  }

  List<LiveScreen.Lane> shown() {
    return lanes.entrySet().stream().map(each -> each.getValue().shown(each.getKey())).toList();
  }
}
