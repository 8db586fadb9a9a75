package dev.fairlead.media.local;

import dev.fairlead.device.Timespan;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.progress.EndOfJob;
import dev.fairlead.media.supervise.FailedException;
import dev.fairlead.media.supervise.Supervisor;
import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Failure;
import dev.fairlead.media.wire.Report;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** Looks into the source of a job. */
final class JobSource {
  private static final Duration TO_INSPECT = Duration.ofMinutes(2);

  private JobSource() {}

  static Report.Inspected inspect(TranscodeRequest request, Supervisor supervisor)
      throws InterruptedException {
    try {
      return (Report.Inspected)
          supervisor.persist(
              number -> new Command.InspectSource(number, request.input().toAbsolutePath()),
              TO_INSPECT);
    } catch (FailedException failed) {
      throw failed.failure().kind() == Failure.Kind.NO_ROOM
          ? EndOfJob.of(request, failed.failure())
          : EndOfJob.ofInspection(request.input(), failed.failure());
    } catch (TimeoutException hung) {
      throw new TranscodeException.Unreadable(
          "%s could not be read in %s".formatted(request.input(), Timespan.of(TO_INSPECT)));
    }
  }
}
