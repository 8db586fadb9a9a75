package dev.fairlead.doctor.check;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.media.prepare.DeviceTrials;
import dev.fairlead.media.settings.EncoderKind;
import java.util.ArrayList;
import java.util.List;

/** Which checks there are, in the order in which they are run. */
public final class Checks {
  private static final int SMALL = 360;
  private static final int USUAL = 1080;
  private static final int LARGE = 2160;

  private Checks() {}

  /** Those of the machine, which need no device. */
  public static List<Check> ofMachine() {
    List<Check> checks = new ArrayList<>(LibraryCheck.all());
    checks.add(new OpenClCheck());
    checks.add(new VaDriverCheck());
    checks.add(new NvencVersionCheck());
    checks.addAll(NodeCheck.all());
    checks.add(new CardsCheck());
    return checks;
  }

  /** Those of one device. */
  public static List<Check> of(Device device, boolean thorough) {
    List<Check> checks = new ArrayList<>();
    if (!device.kind().equals(DeviceKind.CPU)) {
      checks.add(new CardCheck());
    }
    boolean computes =
        device.kind().equals(DeviceKind.CUDA) || device.kind().equals(DeviceKind.OPENCL);
    if (computes) {
      checks.addAll(List.of(new KernelCheck(), new CopyCheck(), new MemoryCheck()));
    }
    // A driver on the processor's cores runs kernels inside of this program.
    if (computes && !device.isOnHostCores()) {
      checks.addAll(List.of(new AstrayCheck(), new EndlessCheck(), new RecordsCheck()));
    }
    List<EncoderKind> encoders = DeviceTrials.encoders(device);
    for (EncoderKind kind : encoders) {
      for (int depth : depths(kind)) {
        sizes(kind, thorough)
            .forEach(height -> checks.add(new EncodeCheck(kind, height * 16 / 9, height, depth)));
      }
    }
    if (!encoders.isEmpty() && !device.isOnHostCores()) {
      checks.addAll(
          List.of(
              new SessionsCheck(),
              new DecodeCheck(),
              new FramesCheck(),
              new KillsCheck(),
              new LadderCheck("ladder")));
    }
    return checks;
  }

  private static List<Integer> depths(EncoderKind kind) {
    return kind.codec().equals("h264") ? List.of(8) : List.of(8, 10);
  }

  /** The processor is spared what it is known to do slowly. */
  private static List<Integer> sizes(EncoderKind kind, boolean thorough) {
    if (kind.runsOnProcessor()) {
      return kind == EncoderKind.SVT_AV1 ? List.of(SMALL, USUAL) : List.of(SMALL);
    }
    return thorough ? List.of(SMALL, USUAL, LARGE) : List.of(SMALL, USUAL);
  }

  /** Those of all devices together. */
  public static List<Check> ofAll(List<Device> devices) {
    List<Check> checks = new ArrayList<>();
    List<Device> cuda =
        devices.stream().filter(each -> each.kind().equals(DeviceKind.CUDA)).toList();
    for (Device from : cuda) {
      for (Device to : cuda) {
        if (!from.equals(to)) {
          checks.add(new PeerCheck(from.label(), to.label()));
        }
      }
    }
    if (cuda.size() > 1) {
      checks.add(new HostSessionsCheck());
    }
    for (String codec : List.of("av1", "hevc", "h264")) {
      for (int depth : codec.equals("h264") ? List.of(8) : List.of(8, 10)) {
        checks.add(new JoinCheck(codec, depth));
      }
    }
    if (devices.stream().filter(each -> !each.isOnHostCores()).count() > 1) {
      checks.add(new LadderCheck("ladder.all"));
    }
    return checks;
  }
}
