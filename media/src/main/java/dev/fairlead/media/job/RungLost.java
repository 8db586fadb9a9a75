package dev.fairlead.media.job;

import dev.fairlead.device.DeviceId;
import java.util.Set;

/**
 * Nobody is left who keeps a rung's promise, but somebody is who could encode it with another one.
 */
final class RungLost extends RuntimeException {
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

  String rung() {
    return rung;
  }

  Set<DeviceId> failed() {
    return failed;
  }

  TranscodeException otherwise() {
    return otherwise;
  }
}
