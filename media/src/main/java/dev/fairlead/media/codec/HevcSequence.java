package dev.fairlead.media.codec;

import dev.fairlead.media.source.Colour;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What the sequence parameter set of an H.265 stream says (H.265, section 7.3.2.2).
 *
 * @param profile space, tier and profile: the byte an hvcC holds
 * @param compatibility the 32 flags of profiles it also conforms to
 * @param constraints 48 bits
 * @param chroma 0 none, 1 4:2:0, 2 4:2:2, 3 4:4:4
 * @param layers temporal layers
 */
public record HevcSequence(
    int profile,
    int compatibility,
    long constraints,
    int level,
    int chroma,
    int depth,
    int width,
    int height,
    int layers,
    Colour colour)
    implements VideoSequence {
  private static final int VPS = 32;
  private static final int SPS = 33;
  private static final int PPS = 34;
  private static final int ARRAYS_AT = 22;

  static HevcSequence of(byte[] unit) {
    return HevcParser.parse(unit);
  }

  @Override
  public String codecs() {
    String space = List.of("", "A", "B", "C").get(profile >> 6);
    StringBuilder text = new StringBuilder("hvc1." + space + (profile & 31));
    text.append('.').append(Integer.toHexString(Integer.reverse(compatibility)));
    text.append((profile & 32) != 0 ? ".H" : ".L").append(level);
    long rest = constraints << 16;
    while (rest != 0) {
      text.append('.').append(Long.toHexString(rest >>> 56));
      rest <<= 8;
    }
    return text.toString().toUpperCase(Locale.ROOT).replace("HVC1", "hvc1");
  }

  /** The hvcC of these parameter sets. */
  byte[] config(List<byte[]> parameterSets) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(
        ByteBuffer.allocate(ARRAYS_AT)
            .put((byte) 1)
            .put((byte) profile)
            .putInt(compatibility)
            .putShort((short) (constraints >> 32))
            .putInt((int) constraints)
            .put((byte) level)
            .putShort((short) 0xf000) // no minimum of spatial segments
            .put((byte) 0xfc) // parallelism not known
            .put((byte) (0xfc | chroma))
            .put((byte) (0xf8 | depth - 8))
            .put((byte) (0xf8 | depth - 8))
            .putShort((short) 0) // frame rate not known
            .put((byte) (layers << 3 | 4 | 3))
            .array());
    out.write(3);
    for (int type : List.of(VPS, SPS, PPS)) {
      List<byte[]> units = ofType(parameterSets, type);
      out.write(0x80 | type);
      out.write(0);
      out.write(units.size());
      for (byte[] unit : units) {
        out.write(unit.length >> 8);
        out.write(unit.length);
        out.writeBytes(unit);
      }
    }
    return out.toByteArray();
  }

  static boolean isSequence(byte[] unit) {
    return type(unit) == SPS;
  }

  /** The parameter sets among {@code units}, each once. */
  static List<byte[]> parameterSets(List<byte[]> units) {
    List<byte[]> sets = new ArrayList<>();
    for (int type : List.of(VPS, SPS, PPS)) {
      sets.addAll(ofType(units, type));
    }
    return sets;
  }

  /** The parameter sets in an hvcC. */
  static List<byte[]> parameterSetsOf(byte[] config) {
    BitReader in = new BitReader("The hvcC", config);
    in.skip(8 * ARRAYS_AT);
    List<byte[]> sets = new ArrayList<>();
    int arrays = in.u(8);
    for (int i = 0; i < arrays; i++) {
      in.skip(8);
      int count = in.u(16);
      for (int j = 0; j < count; j++) {
        sets.add(in.bytes(in.u(16)));
      }
    }
    return parameterSets(sets);
  }

  private static List<byte[]> ofType(List<byte[]> units, int type) {
    return NalUnits.distinct(units.stream().filter(unit -> type(unit) == type).toList());
  }

  private static int type(byte[] unit) {
    return unit.length < 2 ? -1 : unit[0] >> 1 & 63;
  }
}
