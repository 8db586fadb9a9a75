package dev.fairlead.cli;

import dev.fairlead.device.Bytes;
import dev.fairlead.device.Device;
import dev.fairlead.media.plan.AudioPlan;
import dev.fairlead.media.plan.HostMemory;
import dev.fairlead.media.plan.Memory;
import dev.fairlead.media.plan.Rung;
import dev.fairlead.media.plan.TranscodePlan;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What would be done, for people. */
final class PlanText {
  private PlanText() {}

  static String of(TranscodePlan plan, List<Device> devices) {
    StringBuilder text = new StringBuilder();
    text.append("Input    ").append(plan.request().input()).append('\n');
    text.append("Output   ").append(plan.request().output());
    text.append(" (").append(lower(plan.request().format())).append(")\n");
    text.append("Video    ").append(video(plan)).append('\n');
    text.append("Chunks   ").append(grid(plan)).append('\n');
    text.append("Audio    ").append(audio(plan.audio())).append('\n');
    if (!plan.subtitles().isEmpty()) {
      text.append("Subtitles  ").append(plan.subtitles().size()).append(" as WebVTT\n");
    }
    text.append("Devices  ")
        .append(devices.stream().map(Device::label).collect(Collectors.joining(", ")))
        .append('\n');
    text.append("Memory   ").append(memory(plan)).append("\n\n");
    Table rungs = new Table("<>>>", "RUNG", "SIZE", "CRF", "MAXRATE");
    for (Rung rung : plan.rungs()) {
      rungs.row(
          rung.name(),
          rung.width() + "x" + rung.height(),
          String.valueOf(rung.crf()),
          rung.maxrateBits().isPresent() ? rung.maxrateBits().getAsLong() / 1_000 + "k" : "none");
    }
    text.append(rungs);
    plan.notes().forEach(note -> text.append("Note: ").append(note).append('\n'));
    return text.toString();
  }

  private static String video(TranscodePlan plan) {
    return "%s, preset %d, %d bits%s%s"
        .formatted(
            lower(plan.video().codec()),
            plan.video().preset(),
            plan.video().depth(),
            plan.video().deinterlace() ? ", deinterlaced" : "",
            plan.video().tonemap() ? ", tone-mapped" : "");
  }

  private static String grid(TranscodePlan plan) {
    String count =
        plan.expectedChunks().isPresent()
            ? "about " + plan.expectedChunks().getAsLong() + " a rung"
            : "an unknown number";
    return String.format(
        Locale.ROOT,
        "%s, of %.3f s (%d frames), %d in a segment",
        count,
        plan.grid().seconds().value(),
        plan.grid().frames(),
        plan.grid().chunksPerSegment());
  }

  private static String audio(List<AudioPlan> tracks) {
    if (tracks.isEmpty()) {
      return "none";
    }
    return tracks.stream()
        .map(track ->
            track.action() == AudioPlan.Action.COPY
                ? "%s: %s copied".formatted(track.name(), track.track().codec())
                : "%s: %s as %s, %d channels, %d kbit/s"
                    .formatted(
                        track.name(),
                        track.track().codec(),
                        lower(track.action()),
                        track.channels(),
                        track.bitRate() / 1_000))
        .collect(Collectors.joining("; "));
  }

  private static String memory(TranscodePlan plan) {
    Memory memory = plan.memory();
    return "%s may be used%s, %s at least, %s of decoded frames a chunk, %s a lane"
        .formatted(
            Bytes.of(HostMemory.here().bound(plan.request())),
            plan.request().memoryBytes().isPresent() ? " as asked" : "",
            Bytes.of(memory.least(memory.lane())),
            Bytes.of(memory.chunk()),
            Bytes.of(memory.lane()));
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
