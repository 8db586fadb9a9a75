package dev.fairlead.media.prepare;

import dev.fairlead.device.Device;
import dev.fairlead.media.codec.CodecConfig;
import dev.fairlead.media.settings.EncoderKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What every chunk of a rung must have in common, so that one init segment is true for all: chosen
 * before the first chunk from what each encoder gave in a test, so as to keep the most speed.
 *
 * @param config what the init segment promises
 * @param whole the same with an encoder's own header, even where that differs between encoders
 * @param struck devices that cannot keep the promise, and why
 */
public record RungPromise(
    CodecConfig.Picture config, CodecConfig.Picture whole, Map<Device, String> struck) {
  public RungPromise {
    struck = Map.copyOf(struck);
  }

  /** What a device's encoder promised in a test. */
  record Tested(Device device, EncoderKind kind, CodecConfig.Picture config) {}

  /**
   * What an earlier run has promised.
   *
   * @param init what its init segment holds
   */
  static RungPromise of(CodecConfig.Picture whole, byte[] init) {
    boolean bare = !Arrays.equals(whole.body(), init);
    return new RungPromise(bare ? bare(whole) : whole, whole, Map.of());
  }

  /** The same without the header of one encoder, where samples bring their own. */
  private static CodecConfig.Picture bare(CodecConfig.Picture whole) {
    return whole instanceof CodecConfig.Av1 av1 ? av1.inBand() : whole;
  }

  /**
   * Chooses among what was promised; at least one device is there.
   *
   * @param before what an earlier run has promised; kept as it is if any device can
   */
  static RungPromise choose(List<Tested> all, Optional<RungPromise> before, boolean strict) {
    List<List<Tested>> camps = new ArrayList<>();
    for (Tested each : all) {
      camps.stream()
          .filter(camp -> agree(camp.getFirst().config(), each.config(), strict))
          .findFirst()
          .orElseGet(() -> {
            camps.add(new ArrayList<>());
            return camps.getLast();
          })
          .add(each);
    }
    List<Tested> best = camps.getFirst();
    boolean kept = false;
    for (List<Tested> camp : camps) {
      kept = before.isPresent() && before.get().keptBy(camp.getFirst().config(), strict);
      if (kept) {
        best = camp;
        break;
      }
      if (weight(camp) > weight(best)) {
        best = camp;
      }
    }
    CodecConfig.Picture config = kept ? before.get().whole() : best.getFirst().config();
    Map<Device, String> struck = new LinkedHashMap<>();
    for (Tested each : all) {
      if (!best.contains(each)) {
        struck.put(
            each.device(),
            "%s with %s promises %s, the rung %s"
                .formatted(each.device(), each.kind(), each.config().codecs(), config.codecs()));
      }
    }
    if (kept) {
      CodecConfig.Picture form = best.getFirst().config();
      return new RungPromise(
          before.get().config().takingPacketsOf(form), config.takingPacketsOf(form), struck);
    }
    boolean mixed = best.stream().anyMatch(each -> !config.sameBytes(each.config()));
    return new RungPromise(mixed ? bare(config) : config, config, struck);
  }

  /** Whether a chunk keeps the promise. */
  public boolean keptBy(CodecConfig other, boolean strict) {
    return agree(whole, other, strict);
  }

  private static boolean agree(CodecConfig one, CodecConfig other, boolean strict) {
    return strict ? one.sameBytes(other) : one.compatibleWith(other);
  }

  private static double weight(List<Tested> devices) {
    return devices.stream().mapToDouble(each -> each.device().weight()).sum();
  }
}
