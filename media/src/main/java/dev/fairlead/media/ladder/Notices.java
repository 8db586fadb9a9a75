package dev.fairlead.media.ladder;

import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.prepare.JobContext;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.wire.Report;
import java.util.HashSet;
import java.util.Set;

/** What people are told of a job though it goes on; each thing once. Thread-safe. */
final class Notices {
  private final JobContext parts;
  private final Set<String> told = new HashSet<>();

  Notices(JobContext parts) {
    this.parts = parts;
  }

  void tell(String what) {
    parts.listener().tell(new TranscodeListener.Event.Noticed(parts.clock().seconds(), what));
  }

  /** Tells what another worker may see again. */
  void tellOnce(String what) {
    boolean first;
    synchronized (told) {
      first = told.add(what);
    }
    if (first) {
      tell(what);
    }
  }

  /** A worker has ended before its time; units that were in it run alone in the next one. */
  void restarted(String reason, Set<UnitId> alone) {
    String units =
        alone.isEmpty() ? "" : ", %s %s alone".formatted(alone, alone.size() == 1 ? "runs" : "run");
    tell(reason + "; started again" + units);
  }

  /**
   * Something of the source is not in the output, because it was not there or could not be decoded.
   *
   * @throws TranscodeException.Unreadable if the job is a strict one
   */
  void missing(String what) {
    if (parts.options().strict()) {
      throw new TranscodeException.Unreadable(parts.plan().request().input() + ": " + what);
    }
    tellOnce(what);
  }

  void decoded(Report.Decoded end) {
    if (end.damagedPackets() > 0) {
      missing(end.damagedPackets() + " packets of the source are damaged and were skipped");
    }
    if (end.concealed() > 0) {
      missing(end.concealed() + " pictures of the source are damaged and were concealed");
    }
  }
}
