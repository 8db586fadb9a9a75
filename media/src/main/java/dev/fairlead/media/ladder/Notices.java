package dev.fairlead.media.ladder;

import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Report;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Notices of a job, which goes on; each is reported once. Thread-safe. */
final class Notices {
  private final LadderParts parts;
  private final Set<String> reported = new HashSet<>();

  Notices(LadderParts parts) {
    this.parts = parts;
  }

  void report(String what) {
    parts.listener().report(new TranscodeListener.Event.Noticed(parts.clock().seconds(), what));
  }

  /** Reports what another worker may see again. */
  void reportOnce(String what) {
    boolean first;
    synchronized (reported) {
      first = reported.add(what);
    }
    if (first) {
      report(what);
    }
  }

  /** A worker has ended before its time; units that were in it run alone in the next one. */
  void restarted(String reason, Set<UnitId> alone) {
    List<UnitId> units = alone.stream().sorted().toList();
    String listed =
        units.isEmpty()
            ? ""
            : ", %s %s alone"
                .formatted(
                    units.stream().map(UnitId::toString).collect(Collectors.joining(", ")),
                    units.size() == 1 ? "runs" : "run");
    parts
        .listener()
        .report(
            new TranscodeListener.Event.Noticed(
                parts.clock().seconds(), reason + "; started again" + listed, units));
  }

  /**
   * Something of the source is not in the output, because it was not there or could not be decoded.
   *
   * @throws TranscodeException.Unreadable if the job is a strict one
   */
  void missing(String what) {
    if (parts.options().result().strict()) {
      throw new TranscodeException.Unreadable(parts.plan().request().input() + ": " + what);
    }
    reportOnce(what);
  }

  /** A worker is to decode that. */
  void decoding(Command.Decode command) {
    if (command.cards().isEmpty() && !parts.options().decoding().devices().isEmpty()) {
      reportOnce("The job decodes in software: no card is left that may decode it");
    }
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
