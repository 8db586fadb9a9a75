package dev.fairlead.media.progress;

import dev.fairlead.device.Device;
import dev.fairlead.health.Health;
import dev.fairlead.lease.PoolException;
import dev.fairlead.media.job.TranscodeResult;
import dev.fairlead.media.settings.HardwareAddress;
import dev.fairlead.media.supervise.Restarts;
import dev.fairlead.media.wire.Report;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.units.ServiceReport;
import dev.fairlead.units.ServiceReport.DeviceShare;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a job has done in all its passes: a rung that is begun again does not make a device that
 * failed before, or frames that were decoded, disappear. Thread-safe.
 */
public final class JobTotals implements Restarts {
  private final Map<Device, DeviceShare> shares = new LinkedHashMap<>();
  private long frames;
  private long begun;
  private long lastChunk;
  private long leadIn;
  private long peakBytes;
  private int restarts;
  private String restartReason = "";

  /** Cards that have failed to decode, and whether one did in the worker of the moment. */
  private final Set<HardwareAddress> failedCards = new HashSet<>();

  private boolean cardFailed;

  /** Whether a worker has ended for a reason that is not known: decoding may have been it. */
  private boolean crashed;

  /** A chunk of so many frames has its first picture. */
  public synchronized void begun(int chunkFrames) {
    begun += chunkFrames;
    lastChunk = chunkFrames;
  }

  public synchronized void decoded(Report.Decoded end) {
    frames += end.frames();
    begun = 0;
    leadIn += end.leadIn();
    peakBytes = Math.max(peakBytes, end.peakBytes());
  }

  public synchronized long frames() {
    return frames;
  }

  /**
   * Frames that are decoded by now, to within a chunk: of the one begun last, only the first is.
   */
  public synchronized long framesByNow() {
    return frames + Math.max(0, begun - lastChunk);
  }

  public synchronized long leadIn() {
    return leadIn;
  }

  public synchronized long peakBytes() {
    return peakBytes;
  }

  @Override
  public synchronized void restarted(String reason) {
    frames = framesByNow();
    begun = 0;
    restarts++;
    restartReason = reason;
    crashed |= !cardFailed;
    cardFailed = false;
  }

  @Override
  public synchronized void failed(HardwareAddress card) {
    failedCards.add(card);
    cardFailed = true;
  }

  /** Whether a card may still decode. After a crash none may: decoding may have been the reason. */
  public synchronized boolean mayDecode(HardwareAddress card) {
    return !crashed && !failedCards.contains(card);
  }

  /** Why a worker was started again, the last time; empty if none was. */
  public synchronized String restartReason() {
    return restartReason;
  }

  @Override
  public synchronized int restarts() {
    return restarts;
  }

  /** A pass is over. */
  public synchronized void add(ServiceReport pass) {
    pass.devices().forEach(share -> shares.merge(share.device(), share, JobTotals::sum));
  }

  private static DeviceShare sum(DeviceShare one, DeviceShare other) {
    return new DeviceShare(
        one.device(),
        one.units() + other.units(),
        one.failures() + other.failures(),
        one.clones() + other.clones(),
        one.busy().plus(other.busy()));
  }

  /** What each device did, those that are still there first. */
  public synchronized List<TranscodeResult.DeviceResult> devices(
      List<Device> order, DevicePool pool) {
    Map<Device, DeviceShare> sorted = new LinkedHashMap<>();
    order.stream()
        .filter(shares::containsKey)
        .forEach(device -> sorted.put(device, shares.get(device)));
    shares.forEach(sorted::putIfAbsent);
    return sorted.values().stream()
        .map(share ->
            new TranscodeResult.DeviceResult(
                share.device().id(),
                share.device().label(),
                share.device().name(),
                share.units(),
                share.busy().toNanos() / 1e9,
                share.failures(),
                health(pool, share.device()).name()))
        .toList();
  }

  public static Health health(DevicePool pool, Device device) {
    try {
      return pool.health(device.id());
    } catch (PoolException.UnknownDevice gone) {
      return Health.LOST;
    }
  }
}
