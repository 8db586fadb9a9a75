package dev.fairlead.media.codec;

import dev.fairlead.media.source.Colour;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What the sequence parameter set of an H.264 stream says (H.264, section 7.3.2.1).
 *
 * @param constraints the byte between profile and level
 * @param chroma 0 none, 1 4:2:0, 2 4:2:2, 3 4:4:4
 */
public record AvcSequence(
    int profile,
    int constraints,
    int level,
    int chroma,
    int depth,
    int width,
    int height,
    Colour colour)
    implements VideoSequence {
  private static final int SPS = 7;
  private static final int PPS = 8;
  private static final Set<Integer> WITH_CHROMA =
      Set.of(100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135);

  static AvcSequence of(byte[] unit) {
    BitReader in = new BitReader("The H.264 sequence parameter set", NalUnits.unescaped(unit));
    in.skip(8);
    int profile = in.u(8);
    int constraints = in.u(8);
    int level = in.u(8);
    in.ue();
    int chroma = 1;
    int depth = 8;
    if (WITH_CHROMA.contains(profile)) {
      chroma = in.ueUpTo(3);
      if (chroma == 3) {
        in.skip(1);
      }
      depth = 8 + in.ueUpTo(6);
      in.ueUpTo(6);
      in.skip(1);
      if (in.flag()) {
        scalingLists(in, chroma == 3 ? 12 : 8);
      }
    }
    in.ueUpTo(12); // log2_max_frame_num
    pictureOrder(in);
    in.ue();
    in.skip(1);
    int width = (in.ueUpTo(1 << 12) + 1) * 16;
    int rows = (in.ueUpTo(1 << 12) + 1) * 16;
    boolean framesOnly = in.flag();
    int fields = framesOnly ? 1 : 2;
    if (!framesOnly) {
      in.skip(1);
    }
    in.skip(1);
    int height = rows * fields;
    if (in.flag()) {
      int x = chroma == 1 || chroma == 2 ? 2 : 1;
      int y = (chroma == 1 ? 2 : 1) * fields;
      width -= x * (in.ueUpTo(width) + in.ueUpTo(width));
      height -= y * (in.ueUpTo(height) + in.ueUpTo(height));
    }
    if (width <= 0 || height <= 0) {
      throw new UnreadableHeaderException("An H.264 picture of " + width + "×" + height);
    }
    Colour colour = in.flag() ? NalUnits.colour(in) : Colour.unspecified();
    return new AvcSequence(profile, constraints, level, chroma, depth, width, height, colour);
  }

  @Override
  public String codecs() {
    return "avc1.%02x%02x%02x".formatted(profile, constraints, level);
  }

  /** The avcC of these parameter sets. */
  byte[] config(List<byte[]> parameterSets) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(
        new byte[] {1, (byte) profile, (byte) constraints, (byte) level, (byte) (0xfc | 3)});
    List<byte[]> sequences = ofType(parameterSets, SPS);
    out.write(0xe0 | sequences.size());
    sequences.forEach(unit -> sized(out, unit));
    List<byte[]> pictures = ofType(parameterSets, PPS);
    out.write(pictures.size());
    pictures.forEach(unit -> sized(out, unit));
    if (WITH_CHROMA.contains(profile)) {
      out.writeBytes(
          new byte[] {
            (byte) (0xfc | chroma), (byte) (0xf8 | depth - 8), (byte) (0xf8 | depth - 8), 0
          });
    }
    return out.toByteArray();
  }

  static boolean isSequence(byte[] unit) {
    return (unit[0] & 31) == SPS;
  }

  /** The sequence and picture parameter sets among {@code units}, each once. */
  static List<byte[]> parameterSets(List<byte[]> units) {
    List<byte[]> sets = new ArrayList<>(ofType(units, SPS));
    sets.addAll(ofType(units, PPS));
    return sets;
  }

  /** The parameter sets in an avcC. */
  static List<byte[]> parameterSetsOf(byte[] config) {
    BitReader in = new BitReader("The avcC", config);
    in.skip(8 * 5 + 3);
    List<byte[]> sets = new ArrayList<>();
    units(in, in.u(5), sets);
    units(in, in.u(8), sets);
    return parameterSets(sets);
  }

  private static void units(BitReader in, int count, List<byte[]> into) {
    for (int i = 0; i < count; i++) {
      into.add(in.bytes(in.u(16)));
    }
  }

  private static List<byte[]> ofType(List<byte[]> units, int type) {
    return NalUnits.distinct(
        units.stream().filter(unit -> unit.length > 0 && (unit[0] & 31) == type).toList());
  }

  private static void sized(ByteArrayOutputStream out, byte[] unit) {
    out.write(unit.length >> 8);
    out.write(unit.length);
    out.writeBytes(unit);
  }

  private static void pictureOrder(BitReader in) {
    int type = in.ueUpTo(2);
    if (type == 0) {
      in.ueUpTo(12);
    } else if (type == 1) {
      in.skip(1);
      in.se();
      in.se();
      int cycle = in.ueUpTo(255);
      for (int i = 0; i < cycle; i++) {
        in.se();
      }
    }
  }

  private static void scalingLists(BitReader in, int count) {
    for (int i = 0; i < count; i++) {
      if (in.flag()) {
        int next = 8;
        for (int j = 0; j < (i < 6 ? 16 : 64) && next != 0; j++) {
          next = (next + in.se() + 256) % 256;
        }
      }
    }
  }
}
