package dev.fairlead.cli;

import dev.fairlead.device.Device;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.job.TranscodeResult;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.store.UnitId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Remembers what each device did when, for a trace or a report. Thread-safe. */
final class Recording implements TranscodeListener {
  /** How an attempt at a chunk ended. */
  enum Ending {
    COMMITTED,
    FAILED,
    /** Its worker died; the same device began again. */
    DIED,
    /** Another device was first with the same chunk. */
    OVERTAKEN,
    /** The run was over before. */
    STOPPED
  }

  /**
   * One attempt at a chunk of a rung.
   *
   * @param lane which of the device's sessions, from 0
   * @param detail why it failed
   */
  record Attempt(
      UnitId unit, Device device, int lane, Span span, Ending ending, Yield yield, String detail) {}

  /** Seconds since the job began. */
  record Span(double from, double to) {
    double seconds() {
      return to - from;
    }
  }

  /** What came out. */
  record Yield(int frames, long bytes) {
    static final Yield NOTHING = new Yield(0, 0);
  }

  /** Something that was said. */
  record Notice(double seconds, String what) {}

  /**
   * An attempt that goes on.
   *
   * @param again whether it is the rest of one whose worker died
   */
  private record Open(UnitId unit, Device device, double from, boolean again) {}

  private final Set<UnitId> done = new HashSet<>();
  private final List<Open> open = new ArrayList<>();
  private final List<Attempt> ended = new ArrayList<>();
  private final List<Notice> notices = new ArrayList<>();
  private @Nullable TranscodePlan plan;
  private @Nullable TranscodeResult result;
  private List<Device> devices = List.of();
  private int resumed;
  private long memoryBytes;
  private double seconds;

  @Override
  public synchronized void on(Event event) {
    switch (event) {
      case Event.Planned planned -> {
        plan = planned.plan();
        devices = planned.devices();
        resumed = planned.resumed();
        memoryBytes = planned.memory().sum();
      }
      case Event.Started started -> {
        seen(started.seconds());
        if (!done.contains(started.unit())) {
          open.add(new Open(started.unit(), started.device(), started.seconds(), false));
        }
      }
      case Event.Committed committed -> committed(committed);
      case Event.Requeued again -> {
        seen(again.seconds());
        take(again.unit(), again.device())
            .ifPresent(attempt ->
                end(attempt, again.seconds(), Ending.FAILED, Yield.NOTHING, again.reason()));
      }
      case Event.Noticed noticed -> {
        seen(noticed.seconds());
        notices.add(new Notice(noticed.seconds(), noticed.what()));
        died(noticed);
      }
      case Event.Finished finished -> {
        seen(finished.seconds());
        result = finished.result();
      }
      case Event.Progress progress -> seen(progress.seconds());
      case Event.SegmentWritten segment -> seen(segment.seconds());
      case Event.RungWritten rung -> seen(rung.seconds());
    }
  }

  private void committed(Event.Committed committed) {
    seen(committed.seconds());
    done.add(committed.unit());
    Yield yield = new Yield(committed.encoded().frames(), committed.encoded().bytes());
    Optional<Open> known = take(committed.unit(), committed.device()).filter(Open::again);
    // Starts and commits come by different ways, each a little late; the lane's own times do not.
    double began = committed.encoded().fromSeconds();
    double from = known.map(Open::from).orElse(began);
    double to = known.isPresent() ? committed.seconds() : began + committed.encoded().busySeconds();
    Open attempt = new Open(committed.unit(), committed.device(), from, known.isPresent());
    end(attempt, to, Ending.COMMITTED, yield, "");
    for (Open clone : List.copyOf(open)) {
      if (clone.unit.equals(committed.unit())) {
        open.remove(clone);
        end(clone, committed.seconds(), Ending.OVERTAKEN, Yield.NOTHING, "");
      }
    }
  }

  /** What was in a worker that died ends there, and goes on in the next one. */
  private void died(Event.Noticed notice) {
    for (Open each : List.copyOf(open)) {
      if (notice.interrupted().contains(each.unit)) {
        open.remove(each);
        end(each, notice.seconds(), Ending.DIED, Yield.NOTHING, notice.what());
        open.add(new Open(each.unit, each.device, notice.seconds(), true));
      }
    }
  }

  private Optional<Open> take(UnitId unit, Device device) {
    Optional<Open> found =
        open.stream()
            .filter(each -> each.unit.equals(unit) && each.device.id().equals(device.id()))
            .findFirst();
    found.ifPresent(open::remove);
    return found;
  }

  private void end(Open attempt, double to, Ending ending, Yield yield, String detail) {
    Span span = new Span(attempt.from, Math.max(attempt.from, to));
    ended.add(new Attempt(attempt.unit, attempt.device, 0, span, ending, yield, detail));
  }

  private void seen(double at) {
    seconds = Math.max(seconds, at);
  }

  /**
   * All attempts by their start. A device has as many lanes as slots: where two attempts seem to
   * overlap by the time that news takes, they stand in one lane all the same.
   */
  synchronized List<Attempt> attempts() {
    List<Attempt> all = new ArrayList<>(ended);
    for (Open each : open) {
      Span span = new Span(each.from, seconds);
      all.add(new Attempt(each.unit, each.device, 0, span, Ending.STOPPED, Yield.NOTHING, ""));
    }
    all.sort(Comparator.comparingDouble(attempt -> attempt.span.from));
    Map<Device, List<Double>> ends = new HashMap<>();
    all.replaceAll(attempt -> {
      List<Double> lanes = ends.computeIfAbsent(attempt.device, any -> new ArrayList<>());
      int lane = 0;
      while (lane < lanes.size() && lanes.get(lane) > attempt.span.from) {
        lane++;
      }
      if (lane == lanes.size() && lane >= attempt.device.slots()) {
        lane = lanes.indexOf(Collections.min(lanes));
      }
      if (lane == lanes.size()) {
        lanes.add(attempt.span.to);
      } else {
        lanes.set(lane, attempt.span.to);
      }
      return new Attempt(
          attempt.unit,
          attempt.device,
          lane,
          attempt.span,
          attempt.ending,
          attempt.yield,
          attempt.detail);
    });
    return all;
  }

  synchronized List<Notice> notices() {
    return List.copyOf(notices);
  }

  /** Empty if the run ended before it was planned. */
  synchronized Optional<TranscodePlan> plan() {
    return Optional.ofNullable(plan);
  }

  /** Empty if the run came to no good end. */
  synchronized Optional<TranscodeResult> result() {
    return Optional.ofNullable(result);
  }

  /** Chunks that an earlier run had finished. */
  synchronized int resumed() {
    return resumed;
  }

  synchronized long memoryBytes() {
    return memoryBytes;
  }

  synchronized List<Device> devices() {
    return devices;
  }

  synchronized double seconds() {
    return seconds;
  }
}
