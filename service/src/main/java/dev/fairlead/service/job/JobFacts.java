package dev.fairlead.service.job;

import dev.fairlead.media.job.HostEvent;
import dev.fairlead.media.job.JobState;
import dev.fairlead.media.job.JobStatus;
import dev.fairlead.media.job.TranscodeListener.Event;
import dev.fairlead.media.job.TranscodeListener.RungProgress;
import dev.fairlead.media.job.TranscodeResult;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is known of one job beside how it stands; gathered from its events. Thread-safe. */
final class JobFacts {
  private final String name;
  private final Map<String, JobView.DeviceShare> devices = new LinkedHashMap<>();
  private List<JobView.RungView> rungs = List.of();
  private @Nullable Instant started;
  private @Nullable Instant ended;
  private int attempt;
  private int resumed;

  JobFacts(String name) {
    this.name = name;
  }

  synchronized void add(HostEvent.What what, Instant at) {
    switch (what) {
      case HostEvent.What.Changed changed -> {
        if (changed.state() == JobState.RUNNING) {
          attempt++;
          started = started == null ? at : started;
        } else if (changed.state().isOver()) {
          ended = at;
        }
      }
      case HostEvent.What.Reported reported -> add(reported.event());
    }
  }

  private void add(Event event) {
    switch (event) {
      case Event.Planned planned -> resumed = planned.resumed();
      case Event.Committed committed ->
          add(committed.device().label(), 1, committed.encoded().busySeconds(), 0);
      case Event.Requeued again -> add(again.device().label(), 0, 0, 1);
      case Event.Finished finished ->
          rungs = finished.result().rungs().stream().map(JobFacts::rung).toList();
      default -> {}
    }
  }

  private void add(String label, long chunks, double seconds, long failures) {
    devices.merge(
        label,
        new JobView.DeviceShare(label, chunks, seconds, failures),
        (one, other) ->
            new JobView.DeviceShare(
                label,
                one.chunks() + other.chunks(),
                one.busySeconds() + other.busySeconds(),
                one.failures() + other.failures()));
  }

  private static JobView.RungView rung(TranscodeResult.RungResult rung) {
    Path manifest = rung.manifest();
    return new JobView.RungView(
        rung.name(),
        rung.width(),
        rung.height(),
        rung.frames(),
        rung.segments(),
        rung.bytes(),
        Optional.of(manifest.toString()).filter(text -> !text.isEmpty()));
  }

  synchronized JobView view(JobStatus status, Optional<JobView.ErrorView> error) {
    return new JobView(
        status.id().value(),
        name,
        status.state(),
        status.reason(),
        status.tenant(),
        status.priority(),
        status.input().toString(),
        status.output().toString(),
        status.id().time(),
        Optional.ofNullable(started),
        Optional.ofNullable(ended),
        attempt,
        resumed,
        devices.values().stream().mapToDouble(JobView.DeviceShare::busySeconds).sum(),
        status.progress().map(JobFacts::progress),
        rungs,
        List.copyOf(devices.values()),
        error);
  }

  private static JobView.ProgressView progress(Event.Progress progress) {
    List<RungProgress> rungs = progress.rungs();
    return new JobView.ProgressView(
        rungs.stream().mapToDouble(RungProgress::share).average().orElse(0),
        rungs.stream().mapToDouble(RungProgress::framesPerSecond).sum(),
        rungs.stream().mapToDouble(RungProgress::secondsLeft).max().orElse(0));
  }
}
