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
import dev.fairlead.media.prepare.Invariants;
import dev.fairlead.media.prepare.JobContext;
import dev.fairlead.media.progress.JobStore;
import dev.fairlead.media.settings.VideoSettings;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.supervise.WorkerProcess.FailedException;
import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Failure;
import dev.fairlead.media.wire.Report;
import dev.fairlead.units.UnfitForGroup;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Encodes a chunk of a rung on the device whose lane runs this, and commits it. */
final class ChunkWork {
  /**
   * A chunk that was committed.
   *
   * @param from when its device began
   */
  record Done(JobStore.Committed committed, double from) {
    TranscodeListener.Encoded encoded(double seconds) {
      return new TranscodeListener.Encoded(committed.frames(), committed.bytes(), from, seconds);
    }
  }

  private final JobContext parts;
  private final Consumer<TranscodeException> end;
  private final boolean strict;

  /**
   * Work for a job.
   *
   * @param end told of what no other device would do better
   */
  ChunkWork(JobContext parts, Consumer<TranscodeException> end) {
    this.parts = parts;
    this.end = end;
    this.strict = parts.plan().request().encoding().mix() == EncodingChoice.Mix.STRICT;
  }

  Done run(int rung, UnitId unit, Slot slot) throws InterruptedException {
    Device device = slot.device();
    Rung its = parts.plan().rungs().get(rung);
    VideoSettings settings = parts.encoders().settings(its, device);
    Path file = parts.store().chunkFile(unit, device.label());
    double from = parts.clock().seconds();
    parts.clock().started(from);
    parts.store().started(unit, device.label());
    try {
      Report.Encoded encoded =
          (Report.Encoded)
              parts
                  .supervisor()
                  .run(
                      unit,
                      number ->
                          new Command.Encode(
                              number,
                              unit,
                              settings,
                              file,
                              parts.rehearsal().begin(rung, unit, parts.clock().seconds())),
                      parts.options().patience());
      check(rung, device, encoded);
      parts.store().committed(unit, file, encoded.frames(), encoded.bytes(), encoded.checksum());
      return new Done(new JobStore.Committed(file, encoded.frames(), encoded.bytes()), from);
    } catch (FailedException failed) {
      parts.store().failed(unit, device.label(), failed.failure().reason());
      throw fault(failed.failure());
    }
  }

  /** A chunk that breaks the rung's promise cannot follow its init segment. */
  private void check(int rung, Device device, Report.Encoded encoded) {
    CodecConfig config = parts.encoders().config(encoded.header(), encoded.first());
    Invariants invariants = parts.encoders().invariants(rung);
    if (!invariants.keptBy(config, strict)) {
      throw new UnfitForGroup(
          "%s made %s, the rung promises %s"
              .formatted(device, config.codecs(), invariants.config().codecs()));
    }
  }

  private RuntimeException fault(Failure failure) throws InterruptedException {
    return switch (failure.kind()) {
      case DEVICE, CRASHED -> new DeviceException(Fault.DEVICE, failure.reason());
      case BUSY -> new DeviceException(Fault.BUSY, failure.reason());
      case OUT_OF_MEMORY -> new DeviceException(Fault.OUT_OF_MEMORY, failure.reason());
      case LOST -> new DeviceException(Fault.LOST, failure.reason());
      case NO_SPACE, IO, UNREADABLE, NO_ROOM -> {
        TranscodeException known = TranscodeException.of(parts.plan().request(), failure);
        end.accept(known);
        yield known;
      }
      case WORK -> new IllegalStateException(failure.reason());
      case CANCELLED -> throw new InterruptedException(failure.reason());
    };
  }
}
