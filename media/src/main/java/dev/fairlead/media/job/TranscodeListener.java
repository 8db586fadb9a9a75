package dev.fairlead.media.job;

import dev.fairlead.device.Device;
import dev.fairlead.media.plan.MemoryParts;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.units.Assignment;
import java.nio.file.Path;
import java.util.List;

/**
 * Takes the events of a transcode, on a thread of the job's. A listener that throws harms nothing.
 * Seconds are counted from the start of the job.
 */
@FunctionalInterface
public interface TranscodeListener {
  /** Something that happened. */
  sealed interface Event {
    /**
     * Work begins.
     *
     * @param resumed chunks of rungs that an earlier run has left finished
     * @param memory how much may be used at first; where other jobs come or leave that changes
     */
    record Planned(TranscodePlan plan, List<Device> devices, int resumed, MemoryParts memory)
        implements Event {}

    /**
     * A device was given a chunk of a rung.
     *
     * @param why this device
     */
    record Assigned(double seconds, UnitId unit, Device device, Assignment why) implements Event {}

    /**
     * A device begins with a chunk of a rung.
     *
     * @param offeredSeconds since when devices could take it
     */
    record Started(double seconds, UnitId unit, Device device, double offeredSeconds)
        implements Event {}

    /** A chunk of a rung is on disk. */
    record Committed(double seconds, UnitId unit, Device device, Encoded encoded)
        implements Event {}

    /** A chunk has to be encoded again, and this is why. */
    record Requeued(double seconds, UnitId unit, Device device, String reason) implements Event {}

    /** A file of the output has its final content. */
    record SegmentWritten(double seconds, String rung, Path path, long bytes, String sha256)
        implements Event {}

    /** A rung or an audio track is complete. */
    record RungWritten(double seconds, String rung, Path manifest, long bytes) implements Event {}

    /** How far everything is; frames are counted by whole chunks until all are decoded. */
    record Progress(
        double seconds, List<RungProgress> rungs, List<SoundProgress> sounds, long framesDecoded)
        implements Event {}

    /**
     * Something that people should know of, though the job goes on.
     *
     * @param interrupted chunks whose attempt ended with a worker; they are begun again
     */
    record Noticed(double seconds, String what, List<UnitId> interrupted) implements Event {
      public Noticed {
        interrupted = List.copyOf(interrupted);
      }

      public Noticed(double seconds, String what) {
        this(seconds, what, List.of());
      }
    }

    /** The job is over, well. */
    record Finished(double seconds, TranscodeResult result) implements Event {}
  }

  /** What a chunk became, and how long it took. */
  record Encoded(int frames, long bytes, double fromSeconds, double busySeconds) {}

  /**
   * One rung.
   *
   * @param share between 0 and 1; an estimate
   * @param framesPerSecond since the start of this run
   * @param secondsLeft an estimate; zero if nothing is known
   */
  record RungProgress(
      String rung,
      Status status,
      double share,
      long frames,
      int chunks,
      int segments,
      long bytes,
      double framesPerSecond,
      double secondsLeft) {}

  /**
   * One audio track.
   *
   * @param share between 0 and 1; an estimate
   * @param seconds of it that are done
   */
  record SoundProgress(String track, Status status, double share, double seconds) {}

  /** How far a rung is: nothing is there yet, some of it, or all chunks. */
  enum Status {
    WAITING,
    RUNNING,
    COMPLETE
  }

  void on(Event event);

  static TranscodeListener none() {
    return event -> {};
  }
}
