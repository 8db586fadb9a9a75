package dev.fairlead.media.local;

import dev.fairlead.media.job.HostException;
import dev.fairlead.media.job.JobState;
import dev.fairlead.media.job.JobStatus;
import dev.fairlead.media.job.Transcode;
import dev.fairlead.media.job.TranscodeResult;
import dev.fairlead.media.records.JobId;
import dev.fairlead.policy.Priority;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A job of an earlier host that cannot go on.
 *
 * @param log where its record is, which stands for its source and output
 */
record LostJob(JobId id, Path log, String why) implements Transcode {
  @Override
  public JobStatus status() {
    return new JobStatus(id, log, log, JobState.FAILED, why, "", Priority.NORMAL, Optional.empty());
  }

  @Override
  public TranscodeResult await() {
    throw new HostException.UnreadableRecord(log, why);
  }

  @Override
  public void cancel() {
    // It is over.
  }

  @Override
  public void pause() {
    throw new HostException.WrongState(id, JobState.FAILED, "be paused");
  }

  @Override
  public void resume() {
    throw new HostException.WrongState(id, JobState.FAILED, "go on");
  }

  @Override
  public void priority(Priority value) {
    // It does not wait.
  }
}
