package dev.fairlead.doctor.check;

import dev.fairlead.device.Device;
import dev.fairlead.media.prepare.DeviceTrials;
import dev.fairlead.media.settings.EncoderKind;
import dev.fairlead.media.supervise.FailedException;
import dev.fairlead.media.wire.TrialResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How many encoders a card runs at a time, until it refuses one, and how fast: as many as still add
 * speed are its engines.
 */
public final class SessionsCheck implements Check {
  public static final String SLOTS = "encodeSlots";
  public static final String LIMIT = "sessions";

  private static final int MOST = 16;
  private static final int PICTURES = 120;
  private static final int WIDTH = 1280;
  private static final int HEIGHT = 720;

  /** One more encoder that adds less than this has no engine of its own. */
  private static final double WORTHWHILE = 1.15;

  @Override
  public String id() {
    return "sessions";
  }

  @Override
  public boolean disturbs() {
    return true;
  }

  @Override
  public Duration patience() {
    return Duration.ofMinutes(10);
  }

  @Override
  public Finding run(Subject subject) throws Exception {
    Device device = subject.device();
    Optional<DeviceTrials.Order> order = order(subject, device);
    if (order.isEmpty()) {
      return Finding.skip("no encoder of this device works");
    }
    List<Double> speeds = new ArrayList<>();
    Optional<TrialResult.Sessions> refusal = Optional.empty();
    while (speeds.size() < MOST && refusal.isEmpty() && isWorthwhile(speeds)) {
      int asked = speeds.size() + 1;
      TrialResult.Sessions seen =
          subject.trials().sessions(Collections.nCopies(asked, device), order.get(), PICTURES);
      if (seen.opened() < asked) {
        refusal = Optional.of(seen);
      } else {
        speeds.add(asked * PICTURES / seen.seconds());
      }
    }
    // From here on only the number is of interest.
    if (refusal.isEmpty()) {
      TrialResult.Sessions seen =
          subject.trials().sessions(Collections.nCopies(MOST, device), order.get(), 0);
      refusal = seen.opened() < MOST ? Optional.of(seen) : Optional.empty();
    }
    return judge(speeds, refusal);
  }

  /** Goes on a step beyond the last that was worth it, so that one slow step decides nothing. */
  private static boolean isWorthwhile(List<Double> speeds) {
    int steps = speeds.size();
    return steps < 3
        || speeds.get(steps - 1) > speeds.get(steps - 2) * WORTHWHILE
        || speeds.get(steps - 1) > speeds.get(steps - 3) * WORTHWHILE;
  }

  /** As many encoders as still added speed. */
  static int engines(List<Double> speeds) {
    int engines = 1;
    for (int i = 1; i < speeds.size(); i++) {
      if (speeds.get(i) > speeds.get(engines - 1) * WORTHWHILE) {
        engines = i + 1;
      }
    }
    return engines;
  }

  static Finding judge(List<Double> speeds, Optional<TrialResult.Sessions> refusal) {
    if (speeds.isEmpty()) {
      return Finding.fail(
          "not one encoder can be opened: " + refusal.map(TrialResult.Sessions::refusal).orElse(""),
          "End what else encodes on this machine, and look again");
    }
    int engines = engines(speeds);
    int limit = refusal.map(TrialResult.Sessions::opened).orElse(Integer.MAX_VALUE);
    int slots = Math.min(engines + 1, limit);
    String detail =
        "frames a second with 1, 2, … encoders: %s; %d engine%s, so %d slots; %s"
            .formatted(
                String.join(
                    ", ",
                    speeds.stream()
                        .map(speed -> String.format(Locale.ROOT, "%.0f", speed))
                        .toList()),
                engines,
                engines == 1 ? "" : "s",
                slots,
                refusal
                    .map(seen -> "number %d is refused".formatted(seen.opened() + 1))
                    .orElse("%d can be open at a time".formatted(MOST)));
    if (refusal.isPresent() && !refusal.get().busy()) {
      return Finding.fail(
          "%s, and not for want of a session: %s".formatted(detail, refusal.get().refusal()),
          "Use --sessions-per-device %d, and update the driver".formatted(limit));
    }
    Finding finding = Finding.pass(detail).with(SLOTS, slots);
    return refusal.isPresent() ? finding.with(LIMIT, limit) : finding;
  }

  /** The first encoder that works on a device; H.264 first, which most cards have. */
  static Optional<DeviceTrials.Order> order(Subject subject, Device device) throws Exception {
    for (EncoderKind kind : DeviceTrials.encoders(device).reversed()) {
      DeviceTrials.Order order = new DeviceTrials.Order(kind, WIDTH, HEIGHT, 8);
      if (works(subject, device, order)) {
        return Optional.of(order);
      }
    }
    return Optional.empty();
  }

  /** Whether an encoder takes pictures at all. */
  static boolean works(Subject subject, Device device, DeviceTrials.Order order) throws Exception {
    try {
      return subject.trials().sessions(List.of(device), order, 2).opened() == 1;
    } catch (FailedException unable) {
      subject.forgetTrials();
      return false;
    }
  }
}
