package dev.fairlead.media.prepare;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.outcome.Outcome;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * No remaining device can keep a rung's promise, but another could encode it with a different one.
 */
public final class RungLost extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String rung;
  private final transient Set<DeviceId> failed;
  private final transient TranscodeException otherwise;

  /**
   * A rung that is lost.
   *
   * @param failed devices that are there but could not do it
   * @param otherwise how the job ends if nothing else can be promised
   */
  RungLost(String rung, Set<DeviceId> failed, TranscodeException otherwise) {
    super(otherwise.getMessage(), otherwise);
    this.rung = rung;
    this.failed = Set.copyOf(failed);
    this.otherwise = otherwise;
  }

  /**
   * How a job ends, or a rung is begun again, after no device could encode a chunk.
   *
   * @param struck who could not keep the rung's promise
   * @param there the devices that are left
   */
  public static RuntimeException by(
      UnitId unit, Outcome.Failed<?> failure, Set<DeviceId> struck, List<Device> there) {
    Throwable cause = failure.cause();
    if (cause instanceof TranscodeException known) {
      return known;
    }
    TranscodeException end =
        new TranscodeException.GaveUp(
            "Chunk %s cannot be encoded: %s".formatted(unit, cause.getMessage()), cause);
    Set<DeviceId> tried =
        failure.failures().stream()
            .map(attempt -> attempt.device().id())
            .collect(Collectors.toSet());
    boolean others =
        there.stream().map(Device::id).anyMatch(id -> struck.contains(id) && !tried.contains(id));
    return others ? new RungLost(unit.rung(), tried, end) : end;
  }

  public String rung() {
    return rung;
  }

  Set<DeviceId> failed() {
    return failed;
  }

  public TranscodeException otherwise() {
    return otherwise;
  }
}
