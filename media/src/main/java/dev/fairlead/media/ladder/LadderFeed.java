package dev.fairlead.media.ladder;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.plan.AudioPlan;
import dev.fairlead.media.plan.Rung;
import dev.fairlead.media.plan.SubtitlePlan;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.prepare.RungLost;
import dev.fairlead.media.progress.Commits;
import dev.fairlead.media.progress.EndOfJob;
import dev.fairlead.media.progress.FinishedSound;
import dev.fairlead.media.progress.LadderTally;
import dev.fairlead.media.progress.Parked;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.wire.Caption;
import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Report;
import dev.fairlead.outcome.Outcome;
import dev.fairlead.policy.Demand;
import dev.fairlead.units.Party;
import dev.fairlead.units.ServiceOptions;
import dev.fairlead.units.ServiceReport;
import dev.fairlead.units.UnitInput;
import dev.fairlead.units.UnitListener;
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
import org.jspecify.annotations.Nullable;

/**
 * Feeds the unit queue. Decoded chunks become units, one for each rung; the unit queue gives them
 * to devices; a unit ends when its chunk is committed.
 *
 * <p>Everything that happens is a step in one queue, run by one thread, the job's: so the state
 * here has one owner.
 */
public final class LadderFeed implements AutoCloseable {
  private final LadderParts parts;
  private final TranscodePlan plan;
  private final Party service;
  private final ChunkWork work;
  private final Commits commits;
  private final LadderTally tally;
  private final Notices notices;
  private final LinkedBlockingQueue<Runnable> steps = new LinkedBlockingQueue<>();

  /** By rung, who cannot keep its promise. */
  private final List<Set<DeviceId>> struck = new ArrayList<>();

  private volatile boolean closing;
  private volatile boolean untilWhole; // whether units of chunks that are not whole come last

  // Owned by the job's thread.
  private final KnownChunks order = new KnownChunks();
  private final Set<UnitId> offered = new HashSet<>();
  private final Map<Long, Integer> missing = new HashMap<>();
  private final ChunkHomes homes;
  private int running;
  private boolean decoded;
  private boolean tracksDone;

  /** Why the job is to be parked then. */
  private @Nullable String whenTracksDone;

  /**
   * A feed for one pass of a job.
   *
   * @param commits takes what is committed, which the tally counts
   */
  public LadderFeed(LadderParts parts, Commits commits, LadderTally tally) {
    this.parts = parts;
    this.plan = parts.plan();
    this.commits = commits;
    this.tally = tally;
    this.work = new ChunkWork(parts, this::end, () -> closing);
    this.homes =
        new ChunkHomes(parts.options().decoding().devices(), parts.options().fleet().proven());
    this.notices = new Notices(parts);
    this.service =
        parts
            .seat()
            .join(
                plan.rungs().size(),
                ServiceOptions.usual().withClones().withListener(this::happened));
    plan.rungs().forEach(rung -> struck.add(ConcurrentHashMap.newKeySet()));
  }

  /** Takes up what an earlier run has finished, and has the worker begin with the rest. */
  public void begin() {
    parts.encoders().strikeOff(service, parts.options().pool(), parts.admission());
    takeUp();
    parts.supervisor().begin(toDecode());
    TrackWork.start(parts, new Tracks());
  }

  /**
   * Runs the next step; waits for one for so long at most.
   *
   * @return whether no other step waits
   */
  public boolean step(long millis) throws InterruptedException {
    Runnable step = steps.poll(millis, TimeUnit.MILLISECONDS);
    if (step != null) {
      step.run();
    }
    return step == null || steps.isEmpty();
  }

  /** Whether everything is committed. */
  public boolean isOver() {
    return decoded && running == 0 && tracksDone;
  }

  /** How many chunks there are; negative while that is not known. */
  public int chunks() {
    return decoded ? order.settled().size() : -1;
  }

  /** What each device did in this pass. */
  public ServiceReport report() {
    return service.report();
  }

  /** Takes what becomes of the tracks beside the video, on their thread. */
  private final class Tracks implements TrackWork.Sink {
    @Override
    public void sound(AudioPlan audio, FinishedSound sound) {
      // After its pieces, which were reported before.
      steps.add(() -> {
        parts.store().sound(audio.name(), sound);
        commits.sound(audio, sound.audio(), sound.pieces());
        tally.sounds().complete(audio.name());
      });
    }

    @Override
    public void subtitles(SubtitlePlan subtitles, List<Caption> captions) {
      steps.add(() -> commits.subtitles(subtitles, captions));
    }

    @Override
    public void without(AudioPlan audio) {
      steps.add(() -> tally.sounds().complete(audio.name()));
    }

    @Override
    public void notice(String what) {
      steps.add(() -> notices.report(what));
    }

    @Override
    public void ended() {
      steps.add(() -> {
        tracksDone = true;
        if (whenTracksDone != null) {
          throw new Parked(whenTracksDone);
        }
      });
    }

    @Override
    public void failed(TranscodeException failure) {
      end(failure);
    }
  }

  /** Counts what an earlier run has finished. */
  private void takeUp() {
    FinishedChunks finished = finished();
    for (long chunk : finished.chunks()) {
      for (int rung = 0; rung < plan.rungs().size(); rung++) {
        tally.rung(rung).takeUp(parts.store().committed().get(unit(rung, chunk)));
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
    Command.Decode decode = DecodeCommands.of(parts, finished());
    untilWhole = decode.whole();
    notices.decoding(decode);
    return decode;
  }

  /** What the job may use has changed. */
  public void resize() {
    steps.add(() -> {
      Command.Resize size = DecodeCommands.resize(parts);
      untilWhole = size.whole();
      parts.supervisor().resize(size);
    });
  }

  /** Takes a report of the worker, on another thread. */
  public void reported(Report report) {
    steps.add(() -> {
      switch (report) {
        case Report.Ready ready -> ready(ready);
        case Report.Whole whole -> service.whole(whole.chunk(), true);
        case Report.Passed passed -> passed(passed.chunk());
        case Report.Ordered ordered -> settle(ordered.before());
        case Report.SoundPiece piece -> {
          parts.store().committed(piece.unit(), piece.file(), piece.written());
          tally.sounds().add(piece);
        }
        case Report.Pumping more ->
            notices.report("decoding is the bottleneck: %d pumps".formatted(more.pumps()));
        case Report.Decoded end -> {
          decoded = true;
          settle(Long.MAX_VALUE);
          parts.totals().decoded(end);
          notices.decoded(end);
        }
        case Report.Noticed noticed -> notices.reportOnce(noticed.what());
        case Report.Missing missing -> notices.missing(missing.what());
        case Report.DecodeFailed failed -> throw EndOfJob.of(plan.request(), failed.failure());
        case Report.Decoding _, Report.Within _, Report.Working _, Report.Answer _ -> {}
        case Report.CardFailed _ -> {} // the supervisor has taken it down
      }
    });
  }

  public void crashed(Set<UnitId> units, String reason) {
    parts.store().crashed(units);
    steps.add(() -> notices.restarted(reason, units));
  }

  /**
   * Parks the job when what runs is committed.
   *
   * @param withSound whether a track that is being made is made to its end first
   */
  public void park(String reason, boolean withSound) {
    service.park().thenRun(() -> steps.add(() -> settled(reason, withSound)));
  }

  private void settled(String reason, boolean withSound) {
    if (withSound && !tracksDone) {
      whenTracksDone = reason;
    } else {
      throw new Parked(reason);
    }
  }

  public void cancel() {
    end(new TranscodeException.Cancelled());
  }

  private void end(TranscodeException reason) {
    steps.add(() -> {
      throw reason;
    });
  }

  private void ready(Report.Ready ready) {
    long chunk = ready.chunk();
    parts.totals().begun(plan.grid().frames());
    UnitInput pictures = homes.begun(chunk, ready.onCard());
    if (order.add(chunk)) {
      missing.put(chunk, plan.rungs().size());
    }
    service.whole(chunk, !untilWhole);
    for (int rung = 0; rung < plan.rungs().size(); rung++) {
      UnitId unit = unit(rung, chunk);
      if (parts.store().committed().containsKey(unit)) {
        if (offered.add(unit)) {
          tally.rung(rung).takeUp(parts.store().committed().get(unit));
          done(rung, chunk);
        }
      } else if (offered.add(unit)) {
        offer(rung, unit, pictures);
      }
    }
    if (missing.getOrDefault(chunk, 0) == 0) {
      // Its last unit was committed while the command of a new worker was made.
      homes.released(chunk);
      parts.supervisor().release(chunk);
    }
  }

  /** A chunk that an earlier run has finished. */
  private void passed(long chunk) {
    if (order.add(chunk)) {
      for (int rung = 0; rung < plan.rungs().size(); rung++) {
        commits.chunk(rung, unit(rung, chunk));
      }
    }
  }

  /** All chunks before this one were reported. */
  private void settle(long before) {
    List<Long> more = order.settle(before);
    if (!more.isEmpty()) {
      commits.settled(more);
    }
  }

  /** Chunks that cost about the same have their kind in common: learned costs outlive the job. */
  private Demand demand(Rung rung) {
    String kind = plan.video().codec() + " preset " + plan.video().preset() + " " + rung.name();
    return Demand.of(kind, rung.pixels() * plan.grid().frames() / 1e6).withoutContext();
  }

  private void offer(int rung, UnitId unit, UnitInput pictures) {
    Demand demand = demand(plan.rungs().get(rung));
    double now = parts.clock().seconds();
    running++;
    UnitTask<ChunkWork.Done> task =
        service.offer(
            rung, unit.chunk(), demand, pictures, (slot, _) -> work.run(rung, unit, slot, now));
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
        tally.rung(rung).add(chunk.committed());
        parts
            .listener()
            .report(
                new TranscodeListener.Event.Committed(
                    parts.clock().seconds(), unit, device, encoded));
        done(rung, unit.chunk());
      }
      case Outcome.Failed<ChunkWork.Done> failed ->
          throw RungLost.by(unit, failed, struck.get(rung), parts.encoders().devices());
      case Outcome.Cancelled<ChunkWork.Done> cancelled -> throw new TranscodeException.Cancelled();
    }
  }

  private void done(int rung, long chunk) {
    commits.chunk(rung, unit(rung, chunk));
    if (missing.merge(chunk, -1, Integer::sum) == 0) {
      homes.released(chunk);
      parts.supervisor().release(chunk);
    }
  }

  /** Takes an event of the unit queue, on its thread. */
  private void happened(UnitListener.Event event) {
    if (closing) {
      return;
    }
    if (event instanceof UnitListener.Event.StruckOff off) {
      struck.get(off.group()).add(off.device());
      notices.reportOnce(off.reason());
    }
    UnitNews.of(event, parts.clock().seconds(), task -> unit(task.group(), task.order()))
        .ifPresent(parts.listener()::report);
  }

  @Override
  public void close() {
    // What ends from now on was stopped, and has not failed.
    closing = true;
    parts.supervisor().close();
    service.cancelAndClose();
  }
}
