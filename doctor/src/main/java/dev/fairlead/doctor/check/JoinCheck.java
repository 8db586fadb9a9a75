package dev.fairlead.doctor.check;

import dev.fairlead.device.Device;
import dev.fairlead.media.codec.CodecConfig;
import dev.fairlead.media.prepare.DeviceTrials;
import dev.fairlead.media.settings.EncoderKind;
import dev.fairlead.media.wire.TrialResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Whether chunks of all devices that encode a codec follow each other in one rung. */
record JoinCheck(String codec, int depth) implements Check {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 360;

  /** An encoder of a device, and what it has made. */
  private record Made(
      Device device, EncoderKind kind, CodecConfig.Picture promise, boolean whole) {}

  @Override
  public String id() {
    return "join.%s.%dbit".formatted(codec, depth);
  }

  @Override
  public Duration patience() {
    return Duration.ofMinutes(3);
  }

  @Override
  public Finding run(Subject subject) throws Exception {
    List<Device> devices = new ArrayList<>();
    List<DeviceTrials.Order> orders = new ArrayList<>();
    for (Device device : subject.devices()) {
      for (EncoderKind kind : DeviceTrials.encoders(device)) {
        DeviceTrials.Order order = new DeviceTrials.Order(kind, WIDTH, HEIGHT, depth);
        if (kind.codec().equals(codec) && SessionsCheck.works(subject, device, order)) {
          devices.add(device);
          orders.add(order);
        }
      }
    }
    if (devices.size() < 2) {
      return Finding.skip("fewer than two encoders make %s of %d bits".formatted(codec, depth));
    }
    TrialResult.Join seen = subject.trials().join(devices, orders);
    List<Made> made = new ArrayList<>();
    for (int i = 0; i < devices.size(); i++) {
      TrialResult.Part part = seen.parts().get(i);
      EncoderKind kind = orders.get(i).kind();
      made.add(
          new Made(
              devices.get(i),
              kind,
              DeviceTrials.promise(kind, part.header(), part.first()),
              part.decoded() == part.pictures()));
    }
    return judge(made);
  }

  private static Finding judge(List<Made> made) {
    Made first = made.getFirst();
    List<Made> broken = made.stream().filter(each -> !each.whole()).toList();
    if (!broken.isEmpty()) {
      return Finding.fail(
          "chunks of %s cannot be decoded behind those of others".formatted(words(broken)),
          "Use one kind of encoder for a rung: --devices names those of one vendor");
    }
    List<Made> apart =
        made.stream().filter(each -> !first.promise().compatibleWith(each.promise())).toList();
    return Finding.pass(
        apart.isEmpty()
            ? "chunks of %s join in one rung".formatted(words(made))
            : ("chunks of %s are decoded one after another; %s promise something else and get no"
                    + " share of a rung that is begun with %s")
                .formatted(words(made), words(apart), first.kind()));
  }

  /** By the encoder, since many cards have the same. */
  private static String words(List<Made> made) {
    Map<EncoderKind, List<String>> devices = new LinkedHashMap<>();
    made.forEach(each ->
        devices.computeIfAbsent(each.kind(), any -> new ArrayList<>()).add(each.device().label()));
    return String.join(
        " and ",
        devices.entrySet().stream()
            .map(each -> "%s (%s)".formatted(each.getKey(), String.join(", ", each.getValue())))
            .toList());
  }
}
