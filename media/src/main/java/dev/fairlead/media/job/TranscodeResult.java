package dev.fairlead.media.job;

import dev.fairlead.device.DeviceId;
import java.nio.file.Path;
import java.util.List;

/**
 * What a transcode has made.
 *
 * @param status {@code done}, or {@code unchanged} if an earlier run had made it all
 * @param makespanOverBound time from the first chunk to the last ÷ the shortest that these devices
 *     could have taken
 * @param busyShare how much of that time the devices were busy
 * @param restartReason why the worker was started again, the last time; empty if it was not
 */
public record TranscodeResult(
    String status,
    Path output,
    List<RungResult> rungs,
    List<DeviceResult> devices,
    long sourceFramesDecoded,
    long leadInFrames,
    double makespanOverBound,
    double busyShare,
    long peakMemoryBytes,
    int workerRestarts,
    String restartReason) {

  /** One rung, in the order of the ladder; the manifest is empty if there is none. */
  public record RungResult(
      String name, int width, int height, long frames, int segments, long bytes, Path manifest) {}

  /**
   * One device.
   *
   * @param label how people are shown it
   */
  public record DeviceResult(
      DeviceId id,
      String label,
      String name,
      long chunks,
      double busySeconds,
      long failures,
      String health) {}

  public TranscodeResult {
    rungs = List.copyOf(rungs);
    devices = List.copyOf(devices);
  }
}
