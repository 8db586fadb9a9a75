package dev.fairlead.media.host;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.prepare.Admission;
import dev.fairlead.media.records.JobId;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Who has what of the memory, and of the pumps, that all jobs of a host may have together. Not for
 * use by two threads at once.
 *
 * <p>What a job takes by itself (its worker, a decoder, a chunk, sound) adds up over the jobs. An
 * encoder belongs to a device, which works on one job at a time: each counts once, for the job that
 * needs most there. What is left goes to pictures that are decoded ahead. It is divided evenly, and
 * anew whenever a job comes or leaves. Every job has a pump, and those that the processors have
 * besides are divided alike.
 *
 * <p>A job that comes is {@link #isThere} once what it needs is free: others may have to give back
 * what they decoded ahead. What is there, and what is or may be used of the rest, is never more
 * than the total.
 */
public final class MemoryBook {
  /** What a job takes whose source is not known yet: a worker that looks into it. */
  public static final Need INSPECTING = new Need(250_000_000, Map.of());

  /**
   * The least that a job takes.
   *
   * @param own without encoders
   * @param encoders by device
   */
  public record Need(long own, Map<DeviceId, Long> encoders) {
    public Need {
      encoders = Map.copyOf(encoders);
    }

    /** Of a plan on these devices. */
    public static Need of(TranscodePlan plan, List<Device> devices) {
      Map<DeviceId, Long> encoders = new HashMap<>();
      for (Device device : devices) {
        encoders.put(device.id(), Admission.encoders(plan.memory(), device));
      }
      return new Need(plan.memory().least(0), encoders);
    }

    long sum() {
      return own + encoders.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /** What a job can make use of beyond its need. */
  private record Use(long aheadBytes, long furtherPumps) {}

  private final long total;
  private final int processors;
  private final Map<JobId, Need> needs = new LinkedHashMap<>();
  private final Map<JobId, Need> there = new HashMap<>();

  /** Those whose needs are not there yet; a job that needs something else has what it had. */
  private final Map<JobId, Use> coming = new LinkedHashMap<>();

  private final Division ahead = new Division();
  private final Division furtherPumps = new Division();
  private final Map<JobId, Seat.Share> shares = new HashMap<>();
  private long numbers;

  public MemoryBook(long total, int processors) {
    this.total = total;
    this.processors = processors;
  }

  /** Whether a job can come to those that are in; one alone always can, with fewer encoders. */
  public boolean fits(JobId job, Need need) {
    Map<JobId, Need> then = new HashMap<>(needs);
    then.put(job, need);
    return then.size() == 1 || least(then.values()) <= total;
  }

  /** A job comes that takes no more than it needs. */
  public void enter(JobId job, Need need) {
    enter(job, need, need.sum(), 1);
  }

  /**
   * A job comes, or needs something else from now on; it decodes nothing yet.
   *
   * @param most the memory that it can make use of
   * @param pumps the same
   */
  public void enter(JobId job, Need need, long most, int pumps) {
    needs.put(job, need);
    ahead.leave(job);
    furtherPumps.leave(job);
    coming.put(job, new Use(Math.max(0, most - need.sum()), pumps - 1L));
  }

  public void leave(JobId job) {
    needs.remove(job);
    there.remove(job);
    coming.remove(job);
    ahead.leave(job);
    furtherPumps.leave(job);
    shares.remove(job);
  }

  /** A job uses no more than the share of that number; that says nothing if it has another now. */
  public void within(JobId job, long number) {
    if (share(job).filter(now -> now.number() == number).isPresent()) {
      ahead.within(job);
      furtherPumps.within(job);
    }
  }

  /**
   * Divides everything.
   *
   * @param shared whether jobs are to know that there are others
   * @return whether jobs are there now that were not
   */
  public boolean divide(boolean shared) {
    boolean more = false;
    while (List.copyOf(coming.keySet()).stream().anyMatch(this::comes)) {
      more = true;
    }
    ahead.divide(Math.max(0, total - Math.max(least(), least(there.values()))));
    furtherPumps.divide(Math.max(0, processors - needs.size()));
    there.keySet().forEach(job -> shareAnew(job, shared));
    return more;
  }

  private boolean comes(JobId job) {
    Need need = Objects.requireNonNull(needs.get(job));
    Map<JobId, Need> then = new HashMap<>(there);
    then.put(job, need);
    boolean free = then.size() == 1 || least(then.values()) + ahead.held() <= total;
    if (free) {
      there.put(job, need);
      Use use = Objects.requireNonNull(coming.remove(job));
      ahead.enter(job, use.aheadBytes());
      furtherPumps.enter(job, use.furtherPumps());
    }
    return free;
  }

  private void shareAnew(JobId job, boolean shared) {
    long bytes = Math.min(total, Objects.requireNonNull(there.get(job)).sum() + ahead.told(job));
    int pumps = 1 + (int) furtherPumps.told(job);
    Seat.Share before = shares.get(job);
    long number = before == null ? 0 : before.number();
    if (!new Seat.Share(number, bytes, pumps, shared).equals(before)) {
      shares.put(job, new Seat.Share(++numbers, bytes, pumps, shared));
    }
  }

  /** Whether what a job needs is free for it. */
  public boolean isThere(JobId job) {
    return there.containsKey(job) && !coming.containsKey(job);
  }

  /** What a job may use that is there. */
  public Optional<Seat.Share> share(JobId job) {
    return Optional.ofNullable(shares.get(job));
  }

  /** What those that are in take at least. */
  public long least() {
    return least(needs.values());
  }

  /** What may be in use at present. */
  public long held() {
    return least(there.values()) + ahead.held();
  }

  private static long least(Collection<Need> needs) {
    Map<DeviceId, Long> encoders = new HashMap<>();
    needs.forEach(
        need -> need.encoders.forEach((id, bytes) -> encoders.merge(id, bytes, Math::max)));
    return needs.stream().mapToLong(Need::own).sum()
        + encoders.values().stream().mapToLong(Long::longValue).sum();
  }
}
