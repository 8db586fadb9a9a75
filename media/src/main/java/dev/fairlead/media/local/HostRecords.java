package dev.fairlead.media.local;

import dev.fairlead.media.job.HostException;
import dev.fairlead.media.job.JobState;
import dev.fairlead.media.json.JobEntry;
import dev.fairlead.media.json.JsonRecords;
import dev.fairlead.media.records.DirectoryRecords;
import dev.fairlead.media.records.JobEnd;
import dev.fairlead.media.records.JobId;
import dev.fairlead.media.records.JobLog;
import dev.fairlead.media.records.LastEntry;
import dev.fairlead.media.records.Records;
import dev.fairlead.media.store.OutputLock;
import dev.fairlead.policy.FairShares;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What a host writes down of its jobs and tenants, so that the next one goes on from there. One
 * host at a time has a directory of records. Thread-safe.
 */
final class HostRecords {
  /** After how long what tenants have had is kept again while jobs run. */
  static final long KEEP_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final String SHARES = "shares";

  private final Path directory;
  private final OutputLock lock;
  private final Records records;
  private final LastEntry shares;
  private final LongSupplier nanos;

  // Guarded by this.
  private long keptAt;
  private boolean closed;

  /** A job that an earlier host has left without an end. */
  sealed interface Left {
    JobId id();

    /**
     * It is to go on.
     *
     * @param job as it stands after all changes
     * @param paused whether its owner has stopped it
     */
    record ToDo(JobId id, JobEntry.Submitted job, boolean paused) implements Left {}

    /** It cannot be read, and this is why. */
    record Unreadable(JobId id, String why) implements Left {}
  }

  private HostRecords(Path directory, OutputLock lock, LongSupplier nanos) {
    this.directory = directory;
    this.lock = lock;
    this.nanos = nanos;
    this.keptAt = nanos.getAsLong();
    this.records = DirectoryRecords.open(directory);
    this.shares = new LastEntry(records, SHARES);
  }

  /**
   * Takes a directory, which is made if need be.
   *
   * @param nanos the time
   * @throws HostException.RecordsTaken if another host has it
   */
  static HostRecords open(Path directory, LongSupplier nanos) {
    OutputLock lock;
    try {
      lock = OutputLock.open(directory);
    } catch (OutputLock.Busy busy) {
      throw new HostException.RecordsTaken(directory, busy.holder());
    }
    boolean opened = false;
    try {
      HostRecords made = new HostRecords(directory, lock, nanos);
      opened = true;
      return made;
    } finally {
      if (!opened) {
        lock.close();
      }
    }
  }

  /** Where the log of a job is. */
  Path log(JobId id) {
    return directory.resolve("jobs").resolve(id.value());
  }

  /** Begins the log of a job. */
  void submitted(JobId id, JobEntry.Submitted job) {
    JobLog _ = JobLog.begin(records, id, JsonRecords.text(job));
  }

  void add(JobId id, JobEntry entry) {
    JobLog.of(records, id).append(JsonRecords.text(entry));
  }

  void end(JobId id, JobEnd end) {
    JobLog.of(records, id).end(end);
  }

  /** All jobs that have no end, the oldest first. */
  List<Left> left() {
    List<Left> left = new ArrayList<>();
    for (JobId id : JobLog.jobs(records)) {
      try {
        JobLog log = JobLog.of(records, id);
        if (log.end().isEmpty()) {
          left.add(replay(id, log.entries().stream().map(JsonRecords::entry).toList()));
        }
      } catch (JsonRecords.Unreadable | IllegalArgumentException | UncheckedIOException failure) {
        left.add(new Left.Unreadable(id, String.valueOf(failure.getMessage())));
      }
    }
    return left;
  }

  private static Left replay(JobId id, List<JobEntry> entries) {
    if (entries.isEmpty() || !(entries.getFirst() instanceof JobEntry.Submitted job)) {
      return new Left.Unreadable(id, "its first entry is missing");
    }
    JobEntry.Submitted now = job;
    boolean paused = false;
    for (JobEntry entry : entries) {
      switch (entry) {
        case JobEntry.Submitted _ -> {}
        case JobEntry.Urgency urgency -> now = now.with(urgency.priority());
        case JobEntry.Paused _ -> paused = true;
        case JobEntry.Resumed _ -> paused = false;
        case JobEntry.Changed changed -> {
          if (changed.state() == JobState.RUNNING) {
            // What was to be thrown away is gone; what is there now is its own.
            now = now.with(now.request().withRestart(false));
          }
        }
      }
    }
    return new Left.ToDo(id, now, paused);
  }

  /** What tenants have had; nothing if that was never kept, or cannot be read. */
  FairShares shares() {
    try {
      Optional<String> kept = shares.read();
      return kept.isPresent() ? JsonRecords.shares(kept.get()) : FairShares.NONE;
    } catch (JsonRecords.Unreadable unreadable) {
      return FairShares.NONE;
    }
  }

  /** Keeps what tenants have had. */
  synchronized void keep(FairShares now) {
    keptAt = nanos.getAsLong();
    shares.write(JsonRecords.text(now));
  }

  /** The same, if it was not done for a while. */
  synchronized void keepNowAndThen(Supplier<FairShares> now) {
    if (nanos.getAsLong() - keptAt >= KEEP_NANOS) {
      keep(now.get());
    }
  }

  /** Keeps what tenants have had in the end, and lets go of the directory; once. */
  synchronized void close(FairShares last) {
    if (closed) {
      return;
    }
    closed = true;
    try {
      keep(last);
    } finally {
      lock.close();
    }
  }
}
