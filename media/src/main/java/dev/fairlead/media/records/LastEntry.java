package dev.fairlead.media.records;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * A log whose last entry alone counts: those before it are deleted when it is there. One host at a
 * time writes it. Thread-safe.
 */
public final class LastEntry {
  private final Records records;
  private final String log;

  public LastEntry(Records records, String log) {
    this.records = records;
    this.log = log;
  }

  /** What was written last; empty if nothing was. */
  public synchronized Optional<String> read() {
    List<String> names = records.list(log);
    return names.isEmpty()
        ? Optional.empty()
        : records.read(names.getLast()).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
  }

  public synchronized void write(String text) {
    List<String> before = records.list(log);
    long number =
        before.isEmpty() ? 0 : 1 + Long.parseLong(RecordName.parse(before.getLast()).entry());
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    while (records.create(log + "/" + RecordName.number(number), bytes) == Records.Owner.THEIRS) {
      number++;
    }
    before.forEach(records::delete);
  }
}
