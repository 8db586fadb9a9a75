package dev.fairlead.doctor.check;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.media.prepare.DeviceTrials;
import dev.fairlead.media.settings.EncoderKind;
import dev.fairlead.media.wire.TrialResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How many encoders all cards of NVIDIA open together: on many cards the limit is the host's. */
public final class HostSessionsCheck implements Check {
  public static final String LIMIT = "hostSessions";

  private static final int MOST_A_CARD = 16;

  @Override
  public String id() {
    return "sessions.all";
  }

  @Override
  public boolean disturbs() {
    return true;
  }

  @Override
  public Duration patience() {
    return Duration.ofMinutes(5);
  }

  @Override
  public Finding run(Subject subject) throws Exception {
    List<Device> cards =
        subject.devices().stream().filter(each -> each.kind().equals(DeviceKind.CUDA)).toList();
    if (cards.size() < 2) {
      return Finding.skip("there are fewer than two cards of nvidia");
    }
    List<Device> order = new ArrayList<>();
    for (int i = 0; i < MOST_A_CARD; i++) {
      order.addAll(cards);
    }
    TrialResult.Sessions seen =
        subject
            .trials()
            .sessions(order, new DeviceTrials.Order(EncoderKind.NVENC_H264, 640, 360, 8), 0);
    if (seen.opened() == order.size()) {
      return Finding.pass("all %d that were asked for".formatted(seen.opened()));
    }
    return seen.busy()
        ? Finding.pass(
                "%d together, number %d is refused".formatted(seen.opened(), seen.opened() + 1))
            .with(LIMIT, seen.opened())
        : Finding.fail(
            "number %d is refused: %s".formatted(seen.opened() + 1, seen.refusal()),
            "Update the driver: it does not say that there is no session left");
  }
}
