package dev.fairlead.media.local;

import dev.fairlead.media.job.HostException;
import dev.fairlead.media.job.Transcode;
import dev.fairlead.media.records.JobId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The jobs that a host has in memory: all that are not over, and of those on record that are, the
 * last. Thread-safe.
 */
final class JobShelf {
  /** How many jobs that are over are kept, so that their results can be had. */
  static final int RECENT = 100;

  private final ConcurrentSkipListMap<JobId, Transcode> jobs = new ConcurrentSkipListMap<>();
  private final Deque<Transcode> over = new ArrayDeque<>(); // guarded by itself

  void add(Transcode job) {
    jobs.put(job.id(), job);
  }

  void remove(JobId id) {
    jobs.remove(id);
  }

  Optional<Transcode> find(JobId id) {
    return Optional.ofNullable(jobs.get(id));
  }

  /** The oldest first. */
  Collection<Transcode> all() {
    return jobs.values();
  }

  List<HostedJob> hosted() {
    return jobs.values().stream()
        .filter(HostedJob.class::isInstance)
        .map(HostedJob.class::cast)
        .toList();
  }

  /** A job is over, and on record: those that have been so for longest go. */
  void retire(HostedJob job) {
    synchronized (over) {
      over.add(job);
      while (over.size() > RECENT) {
        Transcode oldest = over.remove();
        jobs.remove(oldest.id(), oldest); // unless it was begun again
      }
    }
  }

  /**
   * Requires that no job that is not over writes there.
   *
   * @throws HostException.OutputTaken if one does
   */
  void requireFree(Path output) {
    Path real = real(output);
    for (HostedJob other : hosted()) {
      if (!other.status().state().isOver() && real(other.output()).equals(real)) {
        throw new HostException.OutputTaken(output, other.id());
      }
    }
  }

  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException absent) {
      return path.toAbsolutePath().normalize();
    }
  }
}
