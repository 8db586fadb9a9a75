package dev.fairlead.doctor.check;

import dev.fairlead.device.Device;
import dev.fairlead.media.prepare.DeviceTrials;
import dev.fairlead.media.supervise.FailedException;
import dev.fairlead.media.wire.TrialResult;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Whether pictures that are scaled and encoded in a card's own memory are those of the host. */
public final class FramesCheck implements Check {
  public static final String DEVICE_FRAMES = "deviceFrames";

  private static final int WIDTH = 1920;
  private static final int HEIGHT = 1080;
  private static final int PICTURES = 5;
  private static final int ENCODED = 60;

  /** Heights to which pictures are scaled: some, twice, and more than a kernel does at once. */
  private static final List<Integer> HEIGHTS = List.of(720, 540, 270);

  /**
   * Below this, in decibels, a picture is another one. Two sound scalers differ in how they weigh
   * samples: those of FFmpeg on a card and on the processor are at 40 and more.
   */
  private static final double LEAST_LIKENESS = 35;

  private static final String REMEDY =
      "Nothing to do but to update the driver: frames cross the host until this passes, and with"
          + " --frames host always";

  @Override
  public String id() {
    return "frames.device";
  }

  @Override
  public Duration patience() {
    return Duration.ofMinutes(4);
  }

  @Override
  public Finding run(Subject subject) throws Exception {
    Device device = subject.device();
    Optional<DeviceTrials.Order> order = SessionsCheck.order(subject, device);
    if (order.isEmpty()) {
      return Finding.skip("no encoder of this device works");
    }
    Finding finding;
    try {
      finding = compare(subject.trials(), device, order.get());
    } catch (FailedException failed) {
      subject.forgetTrials();
      finding = Finding.fail(String.valueOf(failed.getMessage()), REMEDY);
    }
    return finding.with(DEVICE_FRAMES, finding.result() == Finding.Result.PASS);
  }

  private static Finding compare(DeviceTrials trials, Device device, DeviceTrials.Order order)
      throws InterruptedException {
    double least = Double.POSITIVE_INFINITY;
    for (int height : HEIGHTS) {
      DeviceTrials.Order smaller =
          new DeviceTrials.Order(order.kind(), height * WIDTH / HEIGHT, height, order.depth());
      TrialResult.Frames seen = trials.frames(device, smaller, WIDTH, HEIGHT, PICTURES);
      least = Math.min(least, Math.min(seen.lumaDb(), seen.chromaDb()));
      if (seen.pictures() != PICTURES || least < LEAST_LIKENESS) {
        return Finding.fail(
            String.format(
                Locale.ROOT,
                "%d of %d pictures of %dp came out of the card at %dp; brightness is at %.0f dB of"
                    + " the host's, colours at %.0f dB",
                seen.pictures(),
                PICTURES,
                HEIGHT,
                height,
                seen.lumaDb(),
                seen.chromaDb()),
            REMEDY);
      }
    }
    Finding encoded =
        EncodeCheck.judge(
            trials.encodeFromDevice(device, order, ENCODED),
            ENCODED,
            order.width(),
            order.height());
    return encoded.result() == Finding.Result.PASS
        ? Finding.pass(
            String.format(
                Locale.ROOT,
                "scaled on the card as on the host (%.0f dB at least) and encoded from there",
                least))
        : Finding.fail("encoded from the card's memory: " + encoded.detail(), REMEDY);
  }
}
