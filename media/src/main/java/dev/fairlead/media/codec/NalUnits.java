package dev.fairlead.media.codec;

import dev.fairlead.media.source.Colour;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The units of H.264 and H.265 streams, between start codes (Annex B) or after their lengths. */
public final class NalUnits {
  private NalUnits() {}

  public static boolean isAnnexB(byte[] data) {
    return data.length >= 4
        && data[0] == 0
        && data[1] == 0
        && (data[2] == 1 || (data[2] == 0 && data[3] == 1));
  }

  /** The units between the start codes, without zeros that follow them. */
  public static List<byte[]> split(byte[] data) {
    List<byte[]> units = new ArrayList<>();
    int from = afterStartCode(data, 0);
    while (from < data.length) {
      int next = afterStartCode(data, from);
      int to = next < data.length || endsInStartCode(data) ? next - 3 : data.length;
      while (to > from && data[to - 1] == 0) {
        to--;
      }
      if (to > from) {
        units.add(Arrays.copyOfRange(data, from, to));
      }
      from = next;
    }
    return units;
  }

  /** As a file holds them, each after its length in four bytes; {@code left} out are left out. */
  static byte[] lengthPrefixed(byte[] annexB, List<byte[]> left) {
    List<byte[]> kept = new ArrayList<>();
    int size = 0;
    for (byte[] unit : split(annexB)) {
      if (left.stream().noneMatch(out -> Arrays.equals(out, unit))) {
        kept.add(unit);
        size += 4 + unit.length;
      }
    }
    ByteBuffer out = ByteBuffer.allocate(size);
    for (byte[] unit : kept) {
      out.putInt(unit.length).put(unit);
    }
    return out.array();
  }

  /** What a unit holds once the bytes that keep start codes out of it are gone. */
  static byte[] unescaped(byte[] unit) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(unit.length);
    int zeros = 0;
    for (byte value : unit) {
      if (zeros >= 2 && value == 3) {
        zeros = 0;
        continue;
      }
      zeros = value == 0 ? zeros + 1 : 0;
      out.write(value);
    }
    return out.toByteArray();
  }

  static List<byte[]> distinct(List<byte[]> units) {
    List<byte[]> once = new ArrayList<>();
    for (byte[] unit : units) {
      if (once.stream().noneMatch(other -> Arrays.equals(other, unit))) {
        once.add(unit);
      }
    }
    return once;
  }

  /** The colours in video usability information, which H.264 and H.265 begin alike. */
  static Colour colour(BitReader in) {
    int extended = 255;
    if (in.flag() && in.u(8) == extended) {
      in.skip(32); // the aspect of a pixel
    }
    if (in.flag()) {
      in.skip(1); // overscan
    }
    if (!in.flag()) {
      return Colour.unspecified();
    }
    in.skip(3);
    boolean full = in.flag();
    return in.flag() ? new Colour(in.u(8), in.u(8), in.u(8), full) : new Colour(2, 2, 2, full);
  }

  private static int afterStartCode(byte[] data, int from) {
    for (int i = from; i + 2 < data.length; i++) {
      if (data[i] == 0 && data[i + 1] == 0 && data[i + 2] == 1) {
        return i + 3;
      }
    }
    return data.length;
  }

  private static boolean endsInStartCode(byte[] data) {
    int n = data.length;
    return n >= 3 && data[n - 1] == 1 && data[n - 2] == 0 && data[n - 3] == 0;
  }
}
