package dev.fairlead.media.local;

import dev.fairlead.device.Device;
import dev.fairlead.media.codec.CodecConfig;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.job.TranscodeResult;
import dev.fairlead.media.ladder.LadderFeed;
import dev.fairlead.media.ladder.LadderParts;
import dev.fairlead.media.output.PackageWriter;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.progress.JobContext;
import dev.fairlead.media.progress.JobTotals;
import dev.fairlead.media.progress.LadderTally;
import dev.fairlead.media.progress.RungFiles;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * One pass of a job over all rungs. Its two halves know nothing of each other: the feed has chunks
 * encoded until all are committed, the package takes what is committed into files.
 */
final class LadderRun implements AutoCloseable {
  private static final long PROGRESS_MILLIS = 250;

  private final LadderParts parts;
  private final JobContext job;
  private final TranscodePlan plan;
  private final LadderTally tally;
  private final PackageWriter output;
  private final LadderFeed feed;
  private volatile boolean packing;
  private boolean counted;

  LadderRun(LadderParts parts) {
    this.parts = parts;
    this.job = parts.job();
    this.plan = job.plan();
    this.tally = new LadderTally(plan);
    this.output = new PackageWriter(job, parts.options().result().sink(), promised(parts));
    this.feed = new LadderFeed(parts, output, tally);
  }

  private static List<CodecConfig.Picture> promised(LadderParts parts) {
    return IntStream.range(0, parts.job().plan().rungs().size())
        .mapToObj(rung -> parts.encoders().promise(rung).config())
        .toList();
  }

  /** Runs to the end. */
  TranscodeResult run() throws InterruptedException {
    job.listener()
        .report(
            new TranscodeListener.Event.Planned(
                plan,
                parts.encoders().devices(),
                job.store().chunks(plan),
                parts.admission().parts(plan.memory())));
    feed.begin();
    while (!feed.isOver()) {
      if (feed.step(PROGRESS_MILLIS)) {
        job.source().require();
        parts.supervisor().watchDecoder(parts.options().worker().patience());
        parts.seat().look();
        progress();
      }
    }
    if (feed.chunks() == 0) {
      throw new TranscodeException.Unreadable(
          plan.request().input() + ": no picture could be decoded");
    }
    progress();
    job.source().require();
    parts.seat().decoded();
    packing = true;
    TranscodeResult result = result(output.finish());
    job.store().finished();
    return result;
  }

  private void progress() {
    job.listener()
        .report(
            tally.progress(
                job.clock().seconds(),
                output::segments,
                feed.chunks(),
                parts.totals().framesByNow()));
  }

  private TranscodeResult result(List<RungFiles> written) {
    List<Device> devices = parts.encoders().devices();
    List<TranscodeResult.RungResult> rungs = new ArrayList<>();
    for (int rung = 0; rung < plan.rungs().size(); rung++) {
      rungs.add(tally.rung(rung).result(written.get(rung)));
    }
    int slots = devices.stream().mapToInt(Device::slots).sum();
    JobTotals totals = parts.totals();
    totals.add(feed.report());
    counted = true;
    return new TranscodeResult(
        "done",
        plan.request().output(),
        rungs,
        totals.devices(devices, parts.options().pool()),
        totals.frames(),
        totals.leadIn(),
        job.clock().makespanOverBound(devices),
        job.clock().busyShare(slots),
        totals.peakBytes(),
        totals.restarts(),
        totals.restartReason());
  }

  /** What a worker has to decode now; asked by several threads. */
  Command.Decode toDecode() {
    return feed.toDecode();
  }

  /** Takes a report of the worker, on another thread. */
  void reported(Report report) {
    feed.reported(report);
  }

  void crashed(Set<UnitId> units, String reason) {
    feed.crashed(units, reason);
  }

  /** What it may use has changed. */
  void resize() {
    feed.resize();
  }

  void park(String reason, boolean withSound) {
    feed.park(reason, withSound);
  }

  void cancel() {
    feed.cancel();
  }

  /** Whether all chunks are there: the job's thread writes the rest of the package. */
  boolean isPacking() {
    return packing;
  }

  @Override
  public void close() {
    feed.close();
    // Only now: a device whose loss ended the pass may report its failure after the loss.
    if (!counted) {
      parts.totals().add(feed.report());
    }
  }
}
