package dev.fairlead.media.host;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.prepare.Admission;
import dev.fairlead.media.records.JobId;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who has what of the memory that all jobs of a host may take together. Not for use by two threads
 * at once.
 *
 * <p>What a job takes by itself (its worker, a decoder, a chunk, sound) adds up over the jobs. An
 * encoder belongs to a device, which works on one job at a time: each counts once, for the job that
 * needs most there. What is left is divided evenly among those that have not got their grant, and
 * goes to pictures that are decoded ahead; what is granted stays so until its job leaves.
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

  private final long total;
  private final Map<JobId, Need> inside = new HashMap<>();
  private final Set<JobId> granted = new HashSet<>();

  public MemoryBook(long total) {
    this.total = total;
  }

  /** Whether a job fits beside those that are in; one alone always does, with fewer encoders. */
  public boolean fits(JobId job, Need need) {
    Map<JobId, Need> then = new HashMap<>(inside);
    then.put(job, need);
    return then.size() == 1 || least(then.values()) <= total;
  }

  public void enter(JobId job, Need need) {
    inside.put(job, need);
  }

  public void leave(JobId job) {
    inside.remove(job);
    granted.remove(job);
  }

  /** What those that are in take at least. */
  public long least() {
    return least(inside.values());
  }

  private static long least(Collection<Need> needs) {
    Map<DeviceId, Long> encoders = new HashMap<>();
    needs.forEach(
        need -> need.encoders.forEach((id, bytes) -> encoders.merge(id, bytes, Math::max)));
    return needs.stream().mapToLong(Need::own).sum()
        + encoders.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Grants a job that fits what it may take until it leaves, its encoders included.
   *
   * @param most what it can make use of
   * @param jobs how many are to share what is left, this one and those that have their grants
   *     included
   */
  public long grant(JobId job, Need need, long most, int jobs) {
    granted.remove(job);
    inside.put(job, need);
    long spare = Math.max(0, total - least());
    long share = need.sum() + spare / Math.max(1, jobs - granted.size());
    long bytes = Math.min(total, Math.clamp(share, need.sum(), Math.max(need.sum(), most)));
    inside.put(job, new Need(need.own + Math.max(0, bytes - need.sum()), need.encoders));
    granted.add(job);
    return bytes;
  }
}
