package dev.fairlead.media.report;

import dev.fairlead.device.Device;
import dev.fairlead.media.local.JobOrder;
import dev.fairlead.media.report.JobRecording.Attempt;
import dev.fairlead.media.report.JobRecording.Ending;
import dev.fairlead.media.report.JobRecording.Notice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Remembers what each device did when for the jobs of a command, for a trace or a report.
 * Thread-safe.
 */
public final class Recording {
  private final List<JobRecording> jobs = new ArrayList<>(); // guarded by this

  /**
   * An attempt, and where it is drawn.
   *
   * @param lane which of the device's sessions, from 0
   */
  public record Drawn(JobRecording job, Attempt attempt, int lane) {
    boolean is(Ending ending) {
      return attempt.ending() == ending;
    }

    /** The name of the track that it is drawn on. */
    public String track() {
      String label = attempt.device().label();
      return lane == 0 ? label : label + " #" + (lane + 1);
    }

    /** What is encoded, with its input where there are several. */
    String what(boolean several) {
      return several ? job.name() + " " + attempt.unit() : attempt.unit().toString();
    }
  }

  /** A job more, whose clock begins now: so many seconds after that of the first. */
  public JobRecording job(JobOrder order, double begun) {
    return add(
        new JobRecording(
            order.id().value(), String.valueOf(order.request().input().getFileName()), begun));
  }

  public synchronized JobRecording add(JobRecording job) {
    jobs.add(job);
    return job;
  }

  public synchronized List<JobRecording> jobs() {
    return List.copyOf(jobs);
  }

  public boolean isOfSeveral() {
    return jobs().size() > 1;
  }

  /**
   * All attempts by their start. A device has as many lanes as slots: where two attempts seem to
   * overlap by the time that news takes, they stand in one lane all the same.
   */
  public List<Drawn> attempts() {
    Map<Device, List<Double>> ends = new HashMap<>();
    return jobs().stream()
        .flatMap(job -> job.attempts().stream().map(attempt -> new Drawn(job, attempt, 0)))
        .sorted(Comparator.comparingDouble(drawn -> drawn.attempt.span().from()))
        .map(drawn -> {
          List<Double> lanes =
              ends.computeIfAbsent(drawn.attempt.device(), any -> new ArrayList<>());
          return new Drawn(drawn.job, drawn.attempt, lane(lanes, drawn.attempt));
        })
        .toList();
  }

  /**
   * Finds a lane for an attempt.
   *
   * @param ends when each lane becomes free
   */
  private static int lane(List<Double> ends, Attempt attempt) {
    int lane = 0;
    while (lane < ends.size() && ends.get(lane) > attempt.span().from()) {
      lane++;
    }
    if (lane == ends.size() && lane >= attempt.device().slots()) {
      lane = ends.indexOf(Collections.min(ends));
    }
    if (lane == ends.size()) {
      ends.add(attempt.span().to());
    } else {
      ends.set(lane, attempt.span().to());
    }
    return lane;
  }

  public List<Drawn> attempts(Ending ending) {
    return attempts().stream().filter(drawn -> drawn.is(ending)).toList();
  }

  /** What was said, in the order of time; with its input where there are several. */
  public List<Notice> notices() {
    return jobs().stream()
        .flatMap(job -> job.notices().stream().map(notice -> of(job, notice)))
        .sorted(Comparator.comparingDouble(Notice::seconds))
        .toList();
  }

  private Notice of(JobRecording job, Notice notice) {
    return isOfSeveral() ? new Notice(notice.seconds(), job.name() + ": " + notice.what()) : notice;
  }

  /** What was said, what failed, and the notes of plans. */
  public List<Notice> remarks() {
    Stream<Notice> notes =
        jobs().stream()
            .flatMap(job ->
                job.plan().stream()
                    .flatMap(plan -> plan.notes().stream())
                    .map(note -> of(job, new Notice(job.begun(), note))));
    Stream<Notice> failures =
        attempts(Ending.FAILED).stream()
            .map(drawn ->
                new Notice(
                    drawn.attempt.span().to(),
                    "%s on %s: %s"
                        .formatted(
                            drawn.what(isOfSeveral()),
                            drawn.attempt.device().label(),
                            drawn.attempt.detail())));
    return Stream.of(notes, failures, notices().stream())
        .flatMap(each -> each)
        .sorted(Comparator.comparingDouble(Notice::seconds))
        .toList();
  }

  public List<Device> devices() {
    return jobs().stream()
        .map(JobRecording::devices)
        .flatMap(Collection::stream)
        .distinct()
        .toList();
  }

  public double seconds() {
    return jobs().stream().mapToDouble(JobRecording::seconds).max().orElse(0);
  }
}
