package dev.fairlead.media.local;

import dev.fairlead.media.job.HostException;
import dev.fairlead.media.job.JobFacts;
import dev.fairlead.media.job.JobState;
import dev.fairlead.media.job.JobStatus;
import dev.fairlead.media.job.Transcode;
import dev.fairlead.media.job.TranscodeResult;
import dev.fairlead.media.records.JobId;
import dev.fairlead.policy.Priority;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * A job that is over, of an earlier host or of this one a while ago.
 *
 * @param end what there is instead of a result
 */
record EndedJob(JobStatus status, HostException end) implements Transcode {
  static EndedJob of(JobStatus status) {
    return new EndedJob(
        status, new HostException.EndedBefore(status.id(), status.state(), status.reason()));
  }

  /**
   * A job that cannot go on.
   *
   * @param log where its record is, which stands for its source and output
   */
  static EndedJob lost(JobId id, Path log, String why) {
    HostException end = new HostException.UnreadableRecord(log, why);
    return new EndedJob(
        new JobStatus(
            id,
            log,
            log,
            JobState.FAILED,
            why,
            "",
            Priority.NORMAL,
            Optional.empty(),
            JobFacts.NONE,
            Map.of()),
        end);
  }

  @Override
  public JobId id() {
    return status.id();
  }

  @Override
  public TranscodeResult await() {
    throw end;
  }

  @Override
  public void cancel() {
    // It is over.
  }

  @Override
  public void pause() {
    throw new HostException.WrongState(id(), status.state(), "be paused");
  }

  @Override
  public void resume() {
    throw new HostException.WrongState(id(), status.state(), "go on");
  }

  @Override
  public void priority(Priority value) {
    // It does not wait.
  }
}
