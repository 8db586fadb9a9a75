package dev.fairlead.media.job;

import dev.fairlead.media.records.JobId;
import java.util.List;

/** An event of a host; numbers begin at 1, and none is left out. */
public record HostEvent(long number, JobId job, What what) {
  /** What happened to the job. */
  public sealed interface What {
    /** It stands otherwise than before, and this is why where that is known. */
    record Changed(JobState state, String reason) implements What {}

    /** Something that its transcode reports. */
    record Reported(TranscodeListener.Event event) implements What {}
  }

  /** What a listener hears events by. */
  public interface Subscription extends AutoCloseable {
    /** The listener hears of no more, but for what it is told at this moment. */
    @Override
    void close();
  }

  /**
   * Takes the events of a host, on a thread of its own: one that blocks or throws harms nothing but
   * itself.
   */
  public interface Listener {
    void on(HostEvent event);

    /**
     * Events are missing: they are too old, or came faster than this took them.
     *
     * @param jobs how all of them stand
     * @param next the number of the event that comes next
     */
    void reset(List<JobStatus> jobs, long next);
  }
}
