package dev.fairlead.media.host;

import dev.fairlead.media.records.JobId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Something that jobs share evenly, up to what each can use. A job that is told to use less has
 * what it had until it says that it does: only then can another have it. Not for use by two threads
 * at once.
 */
final class Division {
  private final Map<JobId, Part> parts = new LinkedHashMap<>();

  private static final class Part {
    final long most;

    /** What the job was told to use at most. */
    long told;

    /** What it may be using: at least what it was told. */
    long held;

    Part(long most) {
      this.most = most;
    }
  }

  /** A job that uses nothing so far is to have a part. */
  void enter(JobId job, long most) {
    parts.put(job, new Part(most));
  }

  void leave(JobId job) {
    parts.remove(job);
  }

  /** A job uses no more than it was told. */
  void within(JobId job) {
    Part part = parts.get(job);
    if (part != null) {
      part.held = part.told;
    }
  }

  /** What a job is to use at most. */
  long told(JobId job) {
    Part part = parts.get(job);
    return part == null ? 0 : part.told;
  }

  /** What all of them may be using. */
  long held() {
    return parts.values().stream().mapToLong(part -> part.held).sum();
  }

  /** Divides so much; who is to have more than before gets it as far as others have let go. */
  void divide(long all) {
    long free = Math.max(0, all - held());
    long left = all;
    List<Part> modestFirst = new ArrayList<>(parts.values());
    modestFirst.sort(Comparator.comparingLong(part -> part.most));
    for (int place = 0; place < modestFirst.size(); place++) {
      Part part = modestFirst.get(place);
      long due = Math.min(part.most, left / (modestFirst.size() - place));
      left -= due;
      part.told = Math.min(due, part.held + free);
      free -= Math.max(0, part.told - part.held);
      part.held = Math.max(part.held, part.told);
    }
  }
}
