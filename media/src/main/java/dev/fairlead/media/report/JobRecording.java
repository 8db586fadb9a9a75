package dev.fairlead.media.report;

import dev.fairlead.device.Device;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.job.TranscodeResult;
import dev.fairlead.media.plan.Rung;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.store.UnitId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What was done for one job, in seconds since the first of its command began. Thread-safe. */
public final class JobRecording implements TranscodeListener {
  /** How an attempt at a chunk ended. */
  public enum Ending {
    COMMITTED("committed"),
    FAILED("failed"),
    DIED("its worker died"),
    OVERTAKEN("another was first"),
    STOPPED("stopped");

    private final String words;

    Ending(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  /**
   * One attempt at a chunk of a rung.
   *
   * @param detail why it failed
   */
  public record Attempt(
      UnitId unit, Device device, Span span, Ending ending, Yield yield, String detail) {}

  /** From when to when. */
  public record Span(double from, double to) {
    double seconds() {
      return to - from;
    }
  }

  /** What came out. */
  public record Yield(int frames, long bytes) {
    static final Yield NOTHING = new Yield(0, 0);
  }

  /** Something that was said. */
  public record Notice(double seconds, String what) {}

  /** An attempt that goes on. */
  private record Open(UnitId unit, Device device, double from) {}

  private final String id;
  private final String name;
  private final double begun;

  // Guarded by this.
  private final Set<UnitId> done = new HashSet<>();
  private final List<Open> open = new ArrayList<>();
  private final List<Attempt> ended = new ArrayList<>();
  private final List<Notice> notices = new ArrayList<>();
  private @Nullable TranscodePlan plan;
  private @Nullable TranscodeResult result;
  private List<Device> devices = List.of();
  private String state = "not finished";
  private int resumed;
  private long memoryBytes;
  private double seconds;

  /**
   * A job.
   *
   * @param name of its input
   * @param begun when its own clock began
   */
  public JobRecording(String id, String name, double begun) {
    this.id = id;
    this.name = name;
    this.begun = begun;
    this.seconds = begun;
  }

  @Override
  public synchronized void on(Event event) {
    switch (event) {
      case Event.Planned planned -> {
        plan = planned.plan();
        devices = planned.devices();
        resumed = planned.resumed();
        memoryBytes = planned.memory().sum();
      }
      case Event.Assigned assigned -> seen(assigned.seconds());
      case Event.Started started -> {
        double at = seen(started.seconds());
        if (!done.contains(started.unit())) {
          open.add(new Open(started.unit(), started.device(), at));
        }
      }
      case Event.Committed committed -> committed(committed);
      case Event.Requeued again -> {
        double at = seen(again.seconds());
        take(again.unit(), again.device())
            .ifPresent(attempt -> end(attempt, at, Ending.FAILED, again.reason()));
      }
      case Event.Noticed noticed -> {
        double at = seen(noticed.seconds());
        notices.add(new Notice(at, noticed.what()));
        for (Open each : List.copyOf(open)) {
          if (noticed.interrupted().contains(each.unit)) {
            open.remove(each);
            end(each, at, Ending.DIED, noticed.what());
          }
        }
      }
      case Event.Finished finished -> {
        seen(finished.seconds());
        result = finished.result();
        state = finished.result().status();
      }
      case Event.Progress progress -> seen(progress.seconds());
      case Event.SegmentWritten segment -> seen(segment.seconds());
      case Event.RungWritten rung -> seen(rung.seconds());
    }
  }

  /** It came to no good end, and this is why. */
  public synchronized void failed(String how, double at, String why) {
    state = how;
    seconds = Math.max(seconds, at);
    notices.add(new Notice(at, why));
  }

  private void committed(Event.Committed committed) {
    double at = seen(committed.seconds());
    done.add(committed.unit());
    // News of a commit comes late; the device's own times do not.
    double from = begun + committed.encoded().fromSeconds();
    Span span = new Span(from, from + committed.encoded().busySeconds());
    Yield yield = new Yield(committed.encoded().frames(), committed.encoded().bytes());
    take(committed.unit(), committed.device());
    ended.add(new Attempt(committed.unit(), committed.device(), span, Ending.COMMITTED, yield, ""));
    for (Open clone : List.copyOf(open)) {
      if (clone.unit.equals(committed.unit())) {
        open.remove(clone);
        end(clone, at, Ending.OVERTAKEN, "");
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

  private void end(Open attempt, double to, Ending ending, String detail) {
    Span span = new Span(attempt.from, Math.max(attempt.from, to));
    ended.add(new Attempt(attempt.unit, attempt.device, span, ending, Yield.NOTHING, detail));
  }

  /** When that was by the clock of all jobs. */
  private double seen(double ofItsOwn) {
    double at = begun + ofItsOwn;
    seconds = Math.max(seconds, at);
    return at;
  }

  public String id() {
    return id;
  }

  /** The name of its input. */
  public String name() {
    return name;
  }

  /** When it was asked for. */
  public double begun() {
    return begun;
  }

  /** In the order of their ends; what goes on is stopped now. */
  public synchronized List<Attempt> attempts() {
    List<Attempt> all = new ArrayList<>(ended);
    for (Open each : open) {
      Span span = new Span(each.from, seconds);
      all.add(new Attempt(each.unit, each.device, span, Ending.STOPPED, Yield.NOTHING, ""));
    }
    return all;
  }

  public synchronized List<Notice> notices() {
    return List.copyOf(notices);
  }

  /** Empty if it ended before it was planned. */
  public synchronized Optional<TranscodePlan> plan() {
    return Optional.ofNullable(plan);
  }

  /** The largest first. */
  public synchronized List<Rung> rungs() {
    return plan == null ? List.of() : plan.rungs();
  }

  /** Empty if it came to no good end. */
  public synchronized Optional<TranscodeResult> result() {
    return Optional.ofNullable(result);
  }

  /** How it stands, in a word or two. */
  public synchronized String state() {
    return state;
  }

  /** Chunks that an earlier run had finished. */
  public synchronized int resumed() {
    return resumed;
  }

  public synchronized long memoryBytes() {
    return memoryBytes;
  }

  public synchronized List<Device> devices() {
    return devices;
  }

  /** When something was heard of it last. */
  public synchronized double seconds() {
    return seconds;
  }
}
