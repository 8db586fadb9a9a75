package dev.fairlead.media.ladder;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceException;
import dev.fairlead.device.Fault;
import dev.fairlead.device.Slot;
import dev.fairlead.media.codec.CodecConfig;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.plan.EncodingChoice;
import dev.fairlead.media.plan.Rung;
import dev.fairlead.media.prepare.RungPromise;
import dev.fairlead.media.progress.EndOfJob;
import dev.fairlead.media.progress.JobStore;
import dev.fairlead.media.settings.VideoSettings;
import dev.fairlead.media.store.ChunkFile;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.supervise.FailedException;
import dev.fairlead.media.supervise.NotReady;
import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Failure;
import dev.fairlead.media.wire.Report;
import dev.fairlead.units.NotNow;
import dev.fairlead.units.TimedResult;
import dev.fairlead.units.UnfitForGroup;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Encodes a chunk of a rung on the device whose lane runs this, and commits it. */
final class ChunkWork {
  /**
   * A chunk that was committed.
   *
   * @param from when its device began
   * @param workedShare for how much of the time since then it worked; the rest it waited, for its
   *     chunk to be decoded or a worker to be started
   * @param sizeShare how many of the pictures of a whole chunk it has; the last one may have fewer
   */
  record Done(JobStore.Committed committed, double from, double workedShare, double sizeShare)
      implements TimedResult {
    TranscodeListener.Encoded encoded(double seconds) {
      return new TranscodeListener.Encoded(committed.frames(), committed.bytes(), from, seconds);
    }
  }

  private static final double LEAST_SHARE = 1e-3;

  private final LadderParts parts;
  private final Consumer<TranscodeException> end;
  private final BooleanSupplier over;
  private final boolean strict;

  /**
   * Work for a job.
   *
   * @param end takes failures that no other device would avoid
   * @param over whether the job is over: what has not begun by then is not begun
   */
  ChunkWork(LadderParts parts, Consumer<TranscodeException> end, BooleanSupplier over) {
    this.parts = parts;
    this.end = end;
    this.over = over;
    this.strict = parts.plan().request().encoding().mix() == EncodingChoice.Mix.STRICT;
  }

  /**
   * Encodes a chunk.
   *
   * @param offered since when devices could take it
   */
  Done run(int rung, UnitId unit, Slot slot, double offered) throws InterruptedException {
    if (over.getAsBoolean()) {
      throw new InterruptedException("The job is over");
    }
    Device device = slot.device();
    Rung its = parts.plan().rungs().get(rung);
    VideoSettings settings = parts.encoders().settings(its, device);
    Path file = parts.store().chunkFile(unit, device.id());
    double from = parts.clock().seconds();
    parts.clock().started(from);
    long begun = System.nanoTime();
    try {
      Report.Encoded encoded =
          (Report.Encoded)
              parts
                  .supervisor()
                  .run(
                      unit,
                      number -> {
                        parts.store().started(unit, device.id());
                        parts
                            .listener()
                            .report(
                                new TranscodeListener.Event.Started(from, unit, device, offered));
                        return new Command.Encode(
                            number,
                            unit,
                            settings,
                            file,
                            parts.rehearsal().begin(rung, unit, parts.clock().seconds()));
                      },
                      parts.options().worker().patience());
      check(rung, device, encoded);
      parts.store().committed(unit, file, encoded.written());
      ChunkFile.Summary written = encoded.written();
      return new Done(
          new JobStore.Committed(file, written.samples(), written.bytes()),
          from,
          share(encoded.workedNanos(), System.nanoTime() - begun),
          share(written.samples(), parts.plan().grid().frames()));
    } catch (NotReady notReady) {
      throw new NotNow(String.valueOf(notReady.getMessage()), notReady.until());
    } catch (FailedException failed) {
      parts.store().failed(unit, device.id(), failed.failure().reason());
      throw fault(failed.failure());
    }
  }

  private static double share(long part, long whole) {
    return Math.clamp((double) part / Math.max(1, whole), LEAST_SHARE, 1);
  }

  /** A chunk that breaks the rung's promise cannot follow its init segment. */
  private void check(int rung, Device device, Report.Encoded encoded) {
    CodecConfig config = parts.encoders().config(encoded.header(), encoded.first());
    RungPromise promise = parts.encoders().promise(rung);
    if (!promise.keptBy(config, strict)) {
      throw new UnfitForGroup(
          "%s made %s, the rung promises %s"
              .formatted(device, config.codecs(), promise.config().codecs()));
    }
  }

  private RuntimeException fault(Failure failure) throws InterruptedException {
    return switch (failure.kind()) {
      case DEVICE, CRASHED -> new DeviceException(Fault.DEVICE, failure.reason());
      case BUSY -> new DeviceException(Fault.BUSY, failure.reason());
      case OUT_OF_MEMORY -> new DeviceException(Fault.OUT_OF_MEMORY, failure.reason());
      case LOST -> new DeviceException(Fault.LOST, failure.reason());
      case NO_SPACE, IO, UNREADABLE, NO_ROOM -> {
        TranscodeException known = EndOfJob.of(parts.plan().request(), failure);
        end.accept(known);
        yield known;
      }
      case WORK -> new IllegalStateException(failure.reason());
      case CANCELLED -> throw new InterruptedException(failure.reason());
    };
  }
}
