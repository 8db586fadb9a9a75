package dev.fairlead.service.job;

import dev.fairlead.media.records.JobId;
import dev.fairlead.media.records.JobLog;
import dev.fairlead.media.records.Records;
import dev.fairlead.service.http.Problem;
import dev.fairlead.service.http.Status;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Which job each key makes. A key is a log, {@code keys/HASH}: its first entry has the id of the
 * job and what was asked for, and is there before the job is; its second says that the job was
 * made. Killed in between, the next submission with the key makes the job under that id, or finds
 * it. Thread-safe.
 */
public final class SubmissionKeys {
  /** For how long a key is known, at least. */
  static final Duration KEPT = Duration.ofHours(24);

  private static final String LOG = "keys";

  private final Records records;
  private final InstantSource clock;
  private final Set<String> underWay = ConcurrentHashMap.newKeySet();

  /** What a key stands for. */
  private record Entry(JobId job, String body) {
    static Optional<Entry> parse(byte[] content) {
      String[] parts = new String(content, StandardCharsets.UTF_8).split(" ", -1);
      try {
        return parts.length == 2
            ? Optional.of(new Entry(JobId.parse(parts[0]), parts[1]))
            : Optional.empty();
      } catch (IllegalArgumentException damaged) {
        return Optional.empty();
      }
    }

    byte[] bytes() {
      return "%s %s".formatted(job, body).getBytes(StandardCharsets.UTF_8);
    }

    boolean isOlder(Instant moment) {
      return job.time().isBefore(moment);
    }
  }

  /**
   * A job, and whether this submission has made it.
   *
   * @param isNew whether it was not there before
   */
  record Outcome(JobView job, boolean isNew) {}

  /** Takes up what is there; keys that are too old are removed. */
  public SubmissionKeys(Records records, InstantSource clock) {
    this.records = records;
    this.clock = clock;
    records.list(LOG).stream().map(name -> name.split("/", -1)[1]).distinct().forEach(this::settle);
  }

  private static String first(String hash) {
    return "%s/%s/000000000".formatted(LOG, hash);
  }

  private static String made(String hash) {
    return "%s/%s/000000001".formatted(LOG, hash);
  }

  /** The job of a key may be deleted from now on, so what was made is to be known as made. */
  private void settle(String hash) {
    Optional<Entry> entry = read(hash);
    if (entry.isEmpty()) {
      remove(hash);
    } else if (!JobLog.of(records, entry.get().job).entries().isEmpty()) {
      noteMade(hash);
    }
  }

  /** What a key stands for; empty if it is not known, or too old. */
  private Optional<Entry> read(String hash) {
    Instant oldest = clock.instant().minus(KEPT);
    return records.read(first(hash)).flatMap(Entry::parse).filter(entry -> !entry.isOlder(oldest));
  }

  /** The first entry last: one without the second is of a job that was not made. */
  private void remove(String hash) {
    records.delete(made(hash));
    records.delete(first(hash));
  }

  private void noteMade(String hash) {
    Records.Owner _ = records.create(made(hash), new byte[0]);
  }

  /**
   * Submits once.
   *
   * @param find shows a job if it is there
   * @param submit makes one under an id
   * @throws Problem if the key was used for something else, or is being used
   */
  Outcome once(
      SubmissionKey key, Function<JobId, Optional<JobView>> find, Function<JobId, JobView> submit) {
    if (!underWay.add(key.hash())) {
      throw Problem.of(
              Status.CONFLICT, "The first submission with this Idempotency-Key is still under way")
          .withHeader("Retry-After", "1");
    }
    try {
      Entry entry = read(key.hash()).orElseGet(() -> begin(key));
      if (!entry.body.equals(key.body())) {
        throw Problem.flaw("", "This Idempotency-Key was sent before with another body");
      }
      Optional<JobView> there = find.apply(entry.job);
      if (there.isPresent()) {
        noteMade(key.hash());
        return new Outcome(there.get(), false);
      }
      if (records.read(made(key.hash())).isPresent()) {
        throw Problem.of(
            Status.CONFLICT,
            "Job %s, which this Idempotency-Key has made, was deleted".formatted(entry.job));
      }
      return new Outcome(make(key, entry, submit), true);
    } finally {
      underWay.remove(key.hash());
    }
  }

  private Entry begin(SubmissionKey key) {
    remove(key.hash());
    Entry entry = new Entry(JobId.create(), key.body());
    Records.Owner _ = records.create(first(key.hash()), entry.bytes());
    return entry;
  }

  private JobView make(SubmissionKey key, Entry entry, Function<JobId, JobView> submit) {
    JobView made;
    try {
      made = submit.apply(entry.job);
    } catch (Problem refused) {
      remove(key.hash());
      throw refused;
    }
    noteMade(key.hash());
    return made;
  }
}
