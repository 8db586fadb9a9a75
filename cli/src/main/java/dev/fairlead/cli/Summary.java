package dev.fairlead.cli;

import dev.fairlead.media.job.TranscodeResult;
import dev.fairlead.media.report.Quantities;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** What a transcode has made and what each device did, for people. */
final class Summary {
  private Summary() {}

  static String of(TranscodeResult result, double seconds) {
    if (result.status().equals("unchanged")) {
      return "Nothing to do: %s is finished already.%n".formatted(result.output());
    }
    StringBuilder text = new StringBuilder();
    Table rungs = new Table("<>>>>", "RUNG", "SIZE", "FRAMES", "SEGMENTS", "BYTES");
    for (TranscodeResult.RungResult rung : result.rungs()) {
      rungs.row(
          rung.name(),
          rung.width() + "x" + rung.height(),
          String.valueOf(rung.frames()),
          String.valueOf(rung.segments()),
          Quantities.size(rung.bytes()));
    }
    Table devices = new Table("<>>>><", "DEVICE", "CHUNKS", "BUSY", "FAILURES", "HEALTH", "NAME");
    for (TranscodeResult.DeviceResult device : result.devices()) {
      devices.row(
          device.label(),
          String.valueOf(device.chunks()),
          Quantities.clock(device.busySeconds()),
          String.valueOf(device.failures()),
          device.health().toLowerCase(Locale.ROOT),
          device.name());
    }
    text.append(rungs).append('\n').append(devices).append('\n');
    text.append(figures(result, seconds)).append('\n');
    if (result.workerRestarts() > 0) {
      text.append(restarts(result));
    }
    text.append("Look at ").append(whereToLook(result)).append('\n');
    return text.toString();
  }

  private static String figures(TranscodeResult result, double seconds) {
    return String.format(
        Locale.ROOT,
        "%d frames decoded once in %s; devices %.0f %% busy, makespan %.2f times the bound",
        result.sourceFramesDecoded(),
        Quantities.clock(seconds),
        100 * result.busyShare(),
        result.makespanOverBound());
  }

  private static String restarts(TranscodeResult result) {
    int restarts = result.workerRestarts();
    return "The worker was started again %s: %s\n"
        .formatted(
            restarts == 1 ? "once" : restarts + " times, at last",
            PlainDisplay.withoutControls(result.restartReason()));
  }

  private static Path whereToLook(TranscodeResult result) {
    Path master = result.output().resolve("master.m3u8");
    return Files.exists(master) ? master : result.output();
  }
}
