package dev.fairlead.doctor.check;

import dev.fairlead.device.Device;
import dev.fairlead.media.prepare.DeviceTrials;
import dev.fairlead.media.prepare.SourceTools;
import dev.fairlead.media.supervise.FailedException;
import dev.fairlead.media.wire.TrialResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Whether a card decodes H.264 to the same pictures as software, also after jumps. */
public final class DecodeCheck implements Check {
  /** The codec that it decodes right; empty if it does not. */
  public static final String DECODES = "decodes";

  private static final String CODEC = "h264";
  private static final int SECONDS = 4;
  private static final int PICTURES = 60;
  private static final List<Double> JUMPS = List.of(0.0, 1.3, 2.6);

  @Override
  public String id() {
    return "decode." + CODEC;
  }

  @Override
  public Duration patience() {
    return Duration.ofMinutes(3);
  }

  @Override
  public Finding run(Subject subject) throws IOException, InterruptedException {
    Device device = subject.device();
    if (DeviceTrials.address(device).isEmpty()) {
      return Finding.skip("this device does not decode");
    }
    Finding finding = compare(subject, device);
    return finding.with(DECODES, finding.result() == Finding.Result.PASS ? CODEC : "");
  }

  private static Finding compare(Subject subject, Device device)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("fairlead-clip");
    Path clip = folder.resolve("clip.mp4");
    try {
      SourceTools.makeClip(clip, SECONDS, 640, 360);
      try (DeviceTrials trials = subject.trials(clip)) {
        return compare(trials, device, clip);
      }
    } catch (FailedException failed) {
      String reason = String.valueOf(failed.getMessage());
      return Finding.fail(
          reason,
          reason.toLowerCase(Locale.ROOT).contains("nvcuvid")
              ? "Install the driver's library: apt-get install libnvcuvid1; in a container add"
                  + " -e NVIDIA_DRIVER_CAPABILITIES=compute,utility,video"
              : "Decode on the processor (--decode-device cpu), or update the driver");
    } finally {
      Files.deleteIfExists(clip);
      Files.deleteIfExists(folder);
    }
  }

  private static Finding compare(DeviceTrials trials, Device device, Path clip)
      throws InterruptedException {
    double millis = 0;
    for (double from : JUMPS) {
      TrialResult.Decoding soft = trials.decode(clip, Optional.empty(), from, PICTURES);
      TrialResult.Decoding hard = trials.decode(clip, Optional.of(device), from, PICTURES);
      Optional<String> difference = difference(soft, hard);
      if (difference.isPresent()) {
        return Finding.fail(
            String.format(Locale.ROOT, "from %.1f s on %s", from, difference.get()),
            "Decode on the processor: --decode-device cpu; or update the driver");
      }
      millis = hard.frameMillis();
    }
    return Finding.pass(
        String.format(
            Locale.ROOT,
            "the same pictures as in software, also after %d jumps; %.1f ms a frame",
            JUMPS.size() - 1,
            millis));
  }

  static Optional<String> difference(TrialResult.Decoding soft, TrialResult.Decoding hard) {
    Map<Long, Long> expected = new HashMap<>();
    soft.pictures().forEach(each -> expected.put(each.pts(), each.checksum()));
    if (hard.pictures().size() != soft.pictures().size()) {
      return Optional.of(
          "%d pictures came where software gives %d"
              .formatted(hard.pictures().size(), soft.pictures().size()));
    }
    return hard.pictures().stream()
        .filter(each -> !Objects.equals(expected.get(each.pts()), each.checksum()))
        .findFirst()
        .map(each -> "the picture at %d is another one than in software".formatted(each.pts()));
  }
}
