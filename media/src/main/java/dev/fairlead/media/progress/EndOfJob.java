package dev.fairlead.media.progress;

import dev.fairlead.media.job.Remedy;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.wire.Failure;
import java.nio.file.Path;

/** How a job ends for which a worker's failure cannot be made good. */
public final class EndOfJob {
  private EndOfJob() {}

  /** Of a job: what it may use decides whose fault it is that something does not fit. */
  public static TranscodeException of(TranscodeRequest request, Failure failure) {
    return failure.kind() == Failure.Kind.NO_ROOM
        ? tooLarge(request, failure.reason())
        : of(failure);
  }

  /** The source does not fit into the memory that may be used. */
  public static TranscodeException.TooLarge tooLarge(TranscodeRequest request, String what) {
    return new TranscodeException.TooLarge(what, request.memoryBytes().isPresent());
  }

  /** Of an inspection: a source that ends every worker cannot be read. */
  public static TranscodeException ofInspection(Path input, Failure failure) {
    return failure.kind() == Failure.Kind.CRASHED
        ? new TranscodeException.Unreadable(
            "%s ends every worker that looks into it: %s".formatted(input, failure.reason()))
        : of(failure);
  }

  private static TranscodeException of(Failure failure) {
    return switch (failure.kind()) {
      case UNREADABLE, NO_ROOM -> new TranscodeException.Unreadable(failure.reason());
      case NO_SPACE, IO -> new TranscodeException.Storage(failure.reason(), Remedy.SAME_REQUEST);
      case CANCELLED -> new TranscodeException.Cancelled();
      case WORK, DEVICE, BUSY, OUT_OF_MEMORY, LOST, CRASHED ->
          new TranscodeException.GaveUp(failure.reason());
    };
  }
}
