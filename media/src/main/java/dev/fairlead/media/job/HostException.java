package dev.fairlead.media.job;

import dev.fairlead.device.Bytes;
import dev.fairlead.media.records.JobId;
import java.nio.file.Path;
import java.util.Locale;

/** What a host of jobs refuses. Its kinds are all the reasons that there are. */
public sealed class HostException extends RuntimeException {
  private HostException(String message) {
    super(message);
  }

  /** Another job of the host writes there. */
  public static final class OutputTaken extends HostException {
    public OutputTaken(Path output, JobId by) {
      super(
          "%s is the output of job %s; wait for that one, or choose another output"
              .formatted(output, by));
    }
  }

  /** The host has no such job. */
  public static final class UnknownJob extends HostException {
    public UnknownJob(JobId id) {
      super("There is no job " + id);
    }
  }

  /** A job cannot do that as it stands. */
  public static final class WrongState extends HostException {
    public WrongState(JobId id, JobState state, String what) {
      super(
          "Job %s is %s and cannot %s".formatted(id, state.name().toLowerCase(Locale.ROOT), what));
    }
  }

  /** Another host goes on with the jobs of those records. */
  public static final class RecordsTaken extends HostException {
    public RecordsTaken(Path directory, String holder) {
      super(
          "The records in %s are in use by %s; close that host first, or choose another directory"
              .formatted(directory, holder));
    }
  }

  /** What was recorded of a job cannot be read, so that it cannot go on. */
  public static final class UnreadableRecord extends HostException {
    public UnreadableRecord(Path log, String why) {
      super("The record in %s cannot be read: %s".formatted(log, why));
    }
  }

  /** A newer Fairlead has written the records: what they ask for is not known. */
  public static final class NewerRecords extends HostException {
    public NewerRecords(Path where, String why) {
      super(
          "The record in %s cannot be used: %s. Take that version again, or another directory"
              .formatted(where, why));
    }
  }

  /** An earlier host has ended the job; what became of it is in its status. */
  public static final class EndedBefore extends HostException {
    public EndedBefore(JobId id, JobState state, String reason) {
      super(
          "Job %s is %s%s"
              .formatted(
                  id,
                  state.name().toLowerCase(Locale.ROOT),
                  reason.isEmpty() ? "" : ": " + reason));
    }
  }

  /** There is less memory than jobs were to use. */
  public static final class TooMuchMemory extends HostException {
    public TooMuchMemory(Bytes asked, Bytes there) {
      super(
          "%s of memory are for jobs, but there are %s in all"
              .formatted(asked.besides(there), there.besides(asked)));
    }
  }

  /** The host takes no more jobs. */
  public static final class Closed extends HostException {
    public Closed() {
      super("The host is closed");
    }
  }
}
