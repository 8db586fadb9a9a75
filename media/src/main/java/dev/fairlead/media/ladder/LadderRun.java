package dev.fairlead.media.ladder;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.job.TranscodeResult;
import dev.fairlead.media.output.AudioSegmenter;
import dev.fairlead.media.output.PackageWriter;
import dev.fairlead.media.pack.TrackFormat;
import dev.fairlead.media.plan.AudioPlan;
import dev.fairlead.media.plan.Rung;
import dev.fairlead.media.plan.SubtitlePlan;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.prepare.JobContext;
import dev.fairlead.media.prepare.RungLost;
import dev.fairlead.media.progress.FinishedChunks;
import dev.fairlead.media.progress.JobTotals;
import dev.fairlead.media.progress.KnownChunks;
import dev.fairlead.media.progress.RungFiles;
import dev.fairlead.media.progress.RungTally;
import dev.fairlead.media.progress.SoundTally;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.wire.Caption;
import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Report;
import dev.fairlead.outcome.Outcome;
import dev.fairlead.policy.Demand;
import dev.fairlead.units.ServiceOptions;
import dev.fairlead.units.UnitListener;
import dev.fairlead.units.UnitQueue;
import dev.fairlead.units.UnitTask;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The rungs of a job at work. Decoded chunks become units, one for each rung; the unit queue gives
 * them to devices; what is committed goes into segments in order.
 *
 * <p>Everything that happens is a step in one queue, run by one thread, the job's: so the state
 * here has one owner.
 */
public final class LadderRun implements AutoCloseable {
  private static final long PROGRESS_MILLIS = 250;

  private final JobContext parts;
  private final TranscodePlan plan;
  private final UnitQueue service;
  private final ChunkWork work;
  private final PackageWriter output;
  private final Notices notices;
  private final LinkedBlockingQueue<Runnable> steps = new LinkedBlockingQueue<>();

  /** By rung, who cannot keep its promise. */
  private final List<Set<DeviceId>> struck = new ArrayList<>();

  private volatile boolean closing;

  // Owned by the job's thread.
  private final KnownChunks order = new KnownChunks();
  private final Set<UnitId> offered = new HashSet<>();
  private final Map<Long, Integer> missing = new HashMap<>();
  private final List<RungTally> tallies = new ArrayList<>();
  private final SoundTally sounds;
  private int running;
  private boolean decoded;
  private boolean tracksDone;

  public LadderRun(JobContext parts) {
    this.parts = parts;
    this.plan = parts.plan();
    this.work = new ChunkWork(parts, this::end);
    this.output = new PackageWriter(parts, order.settled());
    this.sounds = new SoundTally(plan);
    this.notices = new Notices(parts);
    this.service =
        UnitQueue.open(
            parts.options().pool(),
            parts.options().placement(),
            plan.rungs().size(),
            ServiceOptions.usual().withClones().withListener(this::heard));
    plan.rungs()
        .forEach(rung -> {
          tallies.add(new RungTally(rung, plan));
          struck.add(ConcurrentHashMap.newKeySet());
        });
  }

  /** Runs to the end. */
  public TranscodeResult run() throws InterruptedException {
    parts
        .listener()
        .tell(
            new TranscodeListener.Event.Planned(
                plan,
                parts.encoders().devices(),
                parts.store().chunks(plan),
                parts.admission().bound()));
    parts.encoders().strikeOff(service, parts.options().pool(), parts.admission());
    takeUp();
    parts.supervisor().begin(toDecode());
    TrackWork.start(parts, new Tracks());
    while (!isOver()) {
      Runnable step = steps.poll(PROGRESS_MILLIS, TimeUnit.MILLISECONDS);
      if (step != null) {
        step.run();
      }
      if (step == null || steps.isEmpty()) {
        parts.source().require();
        parts.supervisor().watchDecoder(parts.options().patience());
        progress();
      }
    }
    if (order.settled().isEmpty()) {
      throw new TranscodeException.Unreadable(
          plan.request().input() + ": no picture could be decoded");
    }
    progress();
    parts.source().require();
    return output.finish(this::result);
  }

  /** Hears from the tracks beside the video, on their thread. */
  private final class Tracks implements TrackWork.Sink {
    @Override
    public void sound(AudioSegmenter line, TrackFormat.Audio format, long pieces) {
      steps.add(() -> {
        output.sound(line, format, pieces);
        sounds.complete(line.audio().name());
      });
    }

    @Override
    public void subtitles(SubtitlePlan subtitles, List<Caption> captions) {
      steps.add(() -> output.subtitles(subtitles, captions));
    }

    @Override
    public void without(AudioPlan audio) {
      steps.add(() -> sounds.complete(audio.name()));
    }

    @Override
    public void notice(String what) {
      steps.add(() -> notices.tell(what));
    }

    @Override
    public void ended() {
      steps.add(() -> tracksDone = true);
    }

    @Override
    public void failed(TranscodeException failure) {
      end(failure);
    }
  }

  private boolean isOver() {
    return decoded && running == 0 && tracksDone;
  }

  /** Counts what an earlier run has finished. */
  private void takeUp() {
    FinishedChunks finished = finished();
    for (long chunk : finished.chunks()) {
      for (int rung = 0; rung < plan.rungs().size(); rung++) {
        tallies.get(rung).takeUp(parts.store().committed().get(unit(rung, chunk)));
      }
    }
    finished.chunks().headSet(finished.next()).forEach(this::passed);
    settle(finished.next());
  }

  private FinishedChunks finished() {
    return FinishedChunks.of(plan, parts.store().committed().keySet());
  }

  private UnitId unit(int rung, long chunk) {
    return new UnitId(plan.rungs().get(rung).name(), chunk);
  }

  /** What a worker has to decode now; asked by several threads. */
  public Command.Decode toDecode() {
    return DecodeCommands.of(parts, finished());
  }

  /** Hears from the worker, on another thread. */
  public void reported(Report report) {
    steps.add(() -> {
      switch (report) {
        case Report.Ready ready -> ready(ready);
        case Report.Passed passed -> passed(passed.chunk());
        case Report.Ordered ordered -> settle(ordered.before());
        case Report.SoundPiece piece -> {
          parts.store().committed(piece);
          sounds.add(piece);
        }
        case Report.Pumping more ->
            notices.tell("decoding is the bottleneck: %d pumps".formatted(more.pumps()));
        case Report.Decoded end -> {
          decoded = true;
          settle(Long.MAX_VALUE);
          parts.totals().decoded(end);
          notices.decoded(end);
        }
        case Report.Noticed told -> notices.tellOnce(told.what());
        case Report.Missing missing -> notices.missing(missing.what());
        case Report.DecodeFailed failed ->
            throw TranscodeException.of(plan.request(), failed.failure());
        case Report.Decoding _, Report.Working _, Report.Answer _ -> {}
      }
    });
  }

  public void crashed(Set<UnitId> units, String reason) {
    parts.store().crashed(units);
    steps.add(() -> notices.restarted(reason, units));
  }

  public void cancel() {
    end(new TranscodeException.Cancelled());
  }

  /** Ends the job. */
  private void end(TranscodeException reason) {
    steps.add(() -> {
      throw reason;
    });
  }

  private void ready(Report.Ready ready) {
    long chunk = ready.chunk();
    parts.totals().begun(plan.grid().frames());
    if (order.add(chunk)) {
      missing.put(chunk, plan.rungs().size());
    }
    for (int rung = 0; rung < plan.rungs().size(); rung++) {
      UnitId unit = unit(rung, chunk);
      if (parts.store().committed().containsKey(unit)) {
        if (offered.add(unit)) {
          tallies.get(rung).takeUp(parts.store().committed().get(unit));
          done(rung, chunk);
        }
      } else if (offered.add(unit)) {
        offer(rung, unit);
      }
    }
    if (missing.getOrDefault(chunk, 0) == 0) {
      // Its last unit was committed while a new worker was being told what to decode.
      parts.supervisor().release(chunk);
    }
  }

  /** A chunk that an earlier run has finished. */
  private void passed(long chunk) {
    if (order.add(chunk)) {
      for (int rung = 0; rung < plan.rungs().size(); rung++) {
        output.add(rung, unit(rung, chunk));
      }
    }
  }

  /** All chunks before this one were reported. */
  private void settle(long before) {
    if (order.settle(before)) {
      output.grown();
    }
  }

  /** Chunks that cost about the same have their kind in common: learned costs outlive the job. */
  private Demand demand(Rung rung) {
    String kind = plan.video().codec() + " preset " + plan.video().preset() + " " + rung.name();
    return Demand.of(kind, rung.pixels() * plan.grid().frames() / 1e6).withoutContext();
  }

  private void offer(int rung, UnitId unit) {
    Demand demand = demand(plan.rungs().get(rung));
    running++;
    UnitTask<ChunkWork.Done> task =
        service.offer(rung, unit.chunk(), demand, (slot, stopped) -> work.run(rung, unit, slot));
    task.onEnd(outcome -> steps.add(() -> ended(rung, unit, task, outcome)));
  }

  private void ended(int rung, UnitId unit, UnitTask<?> task, Outcome<ChunkWork.Done> outcome) {
    running--;
    switch (outcome) {
      case Outcome.Succeeded<ChunkWork.Done> succeeded -> {
        ChunkWork.Done chunk = succeeded.value();
        Device device = succeeded.device();
        TranscodeListener.Encoded encoded = chunk.encoded(task.taken().toNanos() / 1e9);
        parts.clock().ended(device, unit.rung(), encoded);
        tallies.get(rung).add(chunk.committed());
        parts
            .listener()
            .tell(
                new TranscodeListener.Event.Committed(
                    parts.clock().seconds(), unit, device, encoded));
        done(rung, unit.chunk());
      }
      case Outcome.Failed<ChunkWork.Done> failed -> {
        RuntimeException end =
            RungLost.by(unit, failed, struck.get(rung), parts.encoders().devices());
        if (end instanceof RungLost) {
          parts.totals().add(service.report());
        }
        throw end;
      }
      case Outcome.Cancelled<ChunkWork.Done> cancelled -> throw new TranscodeException.Cancelled();
    }
  }

  private void done(int rung, long chunk) {
    output.add(rung, unit(rung, chunk));
    if (missing.merge(chunk, -1, Integer::sum) == 0) {
      parts.supervisor().release(chunk);
    }
  }

  /** Hears from the unit queue, on its thread. */
  private void heard(UnitListener.Event event) {
    if (closing) {
      return;
    }
    double now = parts.clock().seconds();
    switch (event) {
      case UnitListener.Event.Started started ->
          parts
              .listener()
              .tell(
                  new TranscodeListener.Event.Started(
                      now, unit(started.unit().group(), started.unit().order()), started.device()));
      case UnitListener.Event.Requeued again ->
          parts
              .listener()
              .tell(
                  new TranscodeListener.Event.Requeued(
                      now,
                      unit(again.unit().group(), again.unit().order()),
                      again.device(),
                      String.valueOf(again.reason().getMessage())));
      case UnitListener.Event.StruckOff off -> {
        struck.get(off.group()).add(off.device());
        notices.tellOnce(off.reason());
      }
      case UnitListener.Event.Ended ended -> {}
    }
  }

  private void progress() {
    double now = parts.clock().seconds();
    int chunks = decoded ? order.settled().size() : -1;
    List<TranscodeListener.RungProgress> rungs = new ArrayList<>();
    for (int rung = 0; rung < tallies.size(); rung++) {
      rungs.add(tallies.get(rung).progress(now, output.segments(rung), chunks));
    }
    long frames = parts.totals().framesByNow();
    parts
        .listener()
        .tell(new TranscodeListener.Event.Progress(now, rungs, sounds.progress(), frames));
  }

  private TranscodeResult result(List<RungFiles> written) {
    List<Device> devices = parts.encoders().devices();
    List<TranscodeResult.RungResult> rungs = new ArrayList<>();
    for (int rung = 0; rung < plan.rungs().size(); rung++) {
      rungs.add(tallies.get(rung).result(written.get(rung)));
    }
    int slots = devices.stream().mapToInt(Device::slots).sum();
    JobTotals totals = parts.totals();
    totals.add(service.report());
    return new TranscodeResult(
        "done",
        plan.request().output(),
        rungs,
        totals.devices(devices, parts.options().pool()),
        totals.frames(),
        totals.leadIn(),
        parts.clock().makespanOverBound(devices),
        parts.clock().busyShare(slots),
        totals.peakBytes(),
        totals.restarts(),
        totals.restartReason());
  }

  @Override
  public void close() {
    // What ends from now on was stopped, and has not failed.
    closing = true;
    parts.supervisor().close();
    service.cancelAndClose();
  }
}
