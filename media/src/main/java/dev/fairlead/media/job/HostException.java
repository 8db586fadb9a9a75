package dev.fairlead.media.job;

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

  /** The host takes no more jobs. */
  public static final class Closed extends HostException {
    public Closed() {
      super("The host is closed");
    }
  }
}
