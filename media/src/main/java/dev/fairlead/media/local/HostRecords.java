package dev.fairlead.media.local;

import dev.fairlead.media.job.HostException;
import dev.fairlead.media.job.JobStatus;
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

    /** It is to go on. */
    record ToDo(JobReplay job) implements Left {
      @Override
      public JobId id() {
        return job.id();
      }
    }

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
   * @throws HostException.NewerRecords if a newer version has written there
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
      made.requireKnown();
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

  /** Opens the log of a job that has ended again. */
  void reopen(JobId id) {
    JobLog.of(records, id).reopen();
  }

  void delete(JobId id) {
    JobLog.of(records, id).delete();
  }

  /**
   * All jobs that have no end, the oldest first; what is half deleted goes.
   *
   * @throws HostException.NewerRecords if a newer version has written one of them
   */
  List<Left> left() {
    List<Left> left = new ArrayList<>();
    for (JobId id : JobLog.jobs(records)) {
      try {
        JobLog log = JobLog.of(records, id);
        if (log.isHalfDeleted()) {
          log.delete();
        } else if (log.end().isEmpty()) {
          left.add(
              replay(id)
                  .<Left>map(Left.ToDo::new)
                  .orElseGet(() -> new Left.Unreadable(id, "its first entry is missing")));
        }
      } catch (JsonRecords.Unreadable | IllegalArgumentException | UncheckedIOException failure) {
        left.add(new Left.Unreadable(id, String.valueOf(failure.getMessage())));
      }
    }
    return left;
  }

  /** A job as its log leaves it; empty if it has none that is whole. */
  Optional<JobReplay> replay(JobId id) {
    try {
      return JobReplay.of(
          id, JobLog.of(records, id).entries().stream().map(JsonRecords::entry).toList());
    } catch (JsonRecords.Newer newer) {
      throw new HostException.NewerRecords(log(id), String.valueOf(newer.getMessage()));
    }
  }

  /** How a job stands that has ended; empty if it has not, or is not here. */
  Optional<JobStatus> ended(JobId id) {
    try {
      Optional<JobEnd> end = JobLog.of(records, id).end();
      return end.isEmpty() ? Optional.empty() : replay(id).map(job -> job.ended(end.get()));
    } catch (JsonRecords.Unreadable | IllegalArgumentException garbled) {
      String why = String.valueOf(garbled.getMessage());
      return Optional.of(EndedJob.lost(id, log(id), why).status());
    }
  }

  /** All jobs that have ended, the oldest first. */
  List<JobId> ended() {
    return JobLog.jobs(records).stream().filter(id -> JobLog.of(records, id).isOver()).toList();
  }

  private void requireKnown() {
    try {
      shares.read().ifPresent(JsonRecords::shares);
    } catch (JsonRecords.Newer newer) {
      throw new HostException.NewerRecords(
          directory.resolve(SHARES), String.valueOf(newer.getMessage()));
    } catch (JsonRecords.Unreadable garbled) {
      // Tenants begin anew.
    }
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
