package dev.fairlead.cli;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.media.job.TranscodeListener.Event;
import dev.fairlead.media.job.TranscodeListener.RungProgress;
import dev.fairlead.media.job.TranscodeListener.SoundProgress;
import dev.fairlead.media.job.TranscodeListener.Status;
import dev.fairlead.media.store.UnitId;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Shows a run on the terminal that it is started in, for tests. Each key that is pressed is a step
 * of the run: nothing happens by itself.
 */
final class LiveDisplayPlayer {
  private static final int FRAMES = 100_000;
  private static final double SECONDS_BETWEEN = 0.1;

  private LiveDisplayPlayer() {}

  /** Plays a run; the argument is the number of lanes. */
  public static void main(String[] args) throws IOException {
    List<Device> lanes =
        IntStream.range(0, Integer.parseInt(args[0]))
            .mapToObj(number -> Device.of(DeviceKind.CPU, number))
            .toList();
    LiveDisplay display =
        new LiveDisplay(
            new PrintWriter(System.out, false, StandardCharsets.UTF_8), true, Displays::window);
    for (int next = 0; System.in.read() >= 0; next++) {
      int step = next;
      double seconds = step * SECONDS_BETWEEN;
      Device lane = lanes.get(step % lanes.size());
      UnitId unit = new UnitId("1080p", step);
      display.on(new Event.Started(seconds, unit, lane, seconds));
      if (step % 100 == 50) {
        display.on(new Event.Requeued(seconds, unit, lane, "it failed, as it is made to do here"));
      }
      if (step % 100 == 99) {
        display.on(new Event.Noticed(seconds, "step " + step + " of a run with some notices"));
      }
      display.on(
          new Event.Progress(
              seconds,
              Stream.of("1080p", "720p", "360p").map(rung -> rung(rung, step)).toList(),
              List.of(new SoundProgress("audio1", Status.RUNNING, 0.5, seconds)),
              step));
    }
  }

  private static RungProgress rung(String name, int step) {
    double share = Math.min(0.99, step / (double) FRAMES);
    return new RungProgress(
        name, Status.RUNNING, share, step, step, 0, 1_000L * step, 123.4, 3_725);
  }
}
