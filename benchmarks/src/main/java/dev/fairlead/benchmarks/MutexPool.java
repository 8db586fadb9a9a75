package dev.fairlead.benchmarks;

import dev.fairlead.device.ComputeCapability;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.Vendor;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Eligibility;
import dev.fairlead.stats.Ticker;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The usual design, as an opponent: each device behind a mutex; choosing locks every device in turn
 * to check hints and to read its load, reserving locks the chosen one again. Does what the
 * production pool does for a lease: hints, health, slots, memory, the holder, counts, and with a
 * running clock the moving average and the busy time.
 */
final class MutexPool {
  private final Entry[] entries;
  private final Ticker ticker;

  MutexPool(List<Device> devices, Ticker ticker) {
    this.entries = devices.stream().map(Entry::new).toArray(Entry[]::new);
    this.ticker = ticker;
  }

  /** A device and its books; guarded by itself. */
  @SuppressWarnings("UnusedVariable") // kept because the production pool keeps it
  static final class Entry {
    private final Device device;
    private final @Nullable Thread[] holders;
    private boolean healthy = true;
    private int depth;
    private int foreignStreams;
    private long freeBytes;
    private long dispatched;
    private long completed;
    private long busyNanos;
    private double throughput;

    Entry(Device device) {
      this.device = device;
      this.holders = new @Nullable Thread[device.slots()];
      this.freeBytes = device.memoryBytes();
    }

    boolean takes(Demand demand) {
      Eligibility hints = demand.eligibility();
      ComputeCapability asked = hints.capability();
      Vendor vendor = hints.vendor();
      Set<DeviceId> allowed = hints.allowed();
      ComputeCapability has = device.features().computeCapability();
      return healthy
          && depth + demand.resources().slots() <= holders.length
          && demand.resources().memoryBytes() <= freeBytes
          && hints.minimumFreeBytes() <= freeBytes
          && (asked == null || (has != null && has.isAtLeast(asked)))
          && (vendor == null || vendor.equals(device.vendor()))
          && (allowed == null || allowed.contains(device.id()));
    }
  }

  /** What the holder gets. */
  static final class Claim {
    private final Entry entry;
    private final Demand demand;
    private final int slot;
    private final long since;

    Claim(Entry entry, Demand demand, int slot, long since) {
      this.entry = entry;
      this.demand = demand;
      this.slot = slot;
      this.since = since;
    }
  }

  /** A claim on the least loaded device, null if none has room. */
  @Nullable Claim claim(Demand demand) {
    while (true) {
      Entry best = null;
      int least = Integer.MAX_VALUE;
      for (Entry entry : entries) {
        synchronized (entry) {
          if (entry.takes(demand) && entry.depth + entry.foreignStreams < least) {
            least = entry.depth + entry.foreignStreams;
            best = entry;
          }
        }
      }
      if (best == null) {
        return null;
      }
      long now = ticker.nanos();
      synchronized (best) {
        if (best.takes(demand)) {
          int slot = 0;
          while (best.holders[slot] != null) {
            slot++;
          }
          best.holders[slot] = Thread.currentThread();
          best.depth++;
          best.dispatched++;
          best.freeBytes -= demand.resources().memoryBytes();
          return new Claim(best, demand, slot, now);
        }
      }
    }
  }

  void complete(Claim claim) {
    long now = ticker.nanos();
    Entry entry = claim.entry;
    synchronized (entry) {
      entry.holders[claim.slot] = null;
      entry.depth--;
      entry.completed++;
      entry.freeBytes += claim.demand.resources().memoryBytes();
      long held = now - claim.since;
      if (held > 0) {
        entry.busyNanos += held;
        double sample = 1e9 / held;
        entry.throughput =
            entry.throughput == 0 ? sample : entry.throughput + 0.1 * (sample - entry.throughput);
      }
    }
  }
}
