package dev.fairlead.media.local;

import dev.fairlead.media.job.ExitCodes;
import dev.fairlead.media.job.JobFacts;
import dev.fairlead.media.job.TranscodeListener.Event;
import dev.fairlead.media.job.TranscodeResult;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The facts of a job, gathered from its events. Thread-safe. */
final class GatheredFacts {
  // Guarded by this.
  private final Map<String, JobFacts.DeviceShare> devices = new LinkedHashMap<>();
  private JobFacts.Times times;
  private JobFacts.Tries tries;
  private List<JobFacts.Rung> rungs;
  private Optional<JobFacts.Failure> failure;

  GatheredFacts(JobFacts before) {
    before.devices().forEach(device -> devices.put(device.label(), device));
    this.times = before.times();
    this.tries = before.tries();
    this.rungs = before.rungs();
    this.failure = before.failure();
  }

  synchronized JobFacts all() {
    return new JobFacts(times, tries, List.copyOf(devices.values()), rungs, failure);
  }

  /** It runs, for the first time or again. */
  synchronized void runs(Instant at) {
    times = new JobFacts.Times(times.started().or(() -> Optional.of(at)), Optional.empty());
    tries = new JobFacts.Tries(tries.attempt() + 1, tries.resumedChunks());
  }

  synchronized void ended(Instant at) {
    times = new JobFacts.Times(times.started(), Optional.of(at));
  }

  synchronized void failed(Throwable why) {
    failure =
        Optional.of(new JobFacts.Failure(ExitCodes.of(why), String.valueOf(why.getMessage())));
  }

  synchronized void add(Event event) {
    switch (event) {
      case Event.Planned planned -> tries = new JobFacts.Tries(tries.attempt(), planned.resumed());
      case Event.Committed committed ->
          add(committed.device().label(), 1, committed.encoded().busySeconds(), 0);
      case Event.Requeued again -> add(again.device().label(), 0, 0, 1);
      case Event.Finished finished ->
          rungs = finished.result().rungs().stream().map(GatheredFacts::rung).toList();
      default -> {}
    }
  }

  private void add(String label, long chunks, double seconds, long failures) {
    devices.merge(
        label,
        new JobFacts.DeviceShare(label, chunks, seconds, failures),
        (one, other) ->
            new JobFacts.DeviceShare(
                label,
                one.chunks() + other.chunks(),
                one.busySeconds() + other.busySeconds(),
                one.failures() + other.failures()));
  }

  private static JobFacts.Rung rung(TranscodeResult.RungResult rung) {
    Path manifest = rung.manifest();
    return new JobFacts.Rung(
        rung.name(),
        rung.width(),
        rung.height(),
        rung.frames(),
        rung.segments(),
        rung.bytes(),
        Optional.of(manifest.toString()).filter(text -> !text.isEmpty()));
  }
}
