package dev.fairlead.media.codec;

/** Reads a header bit by bit, most significant first; past the end there is an exception. */
final class BitReader {
  private static final int MAX_ZEROS = 32;

  private final String what;
  private final byte[] data;
  private long position;

  BitReader(String what, byte[] data) {
    this.what = what;
    this.data = data;
  }

  int bit() {
    if (position >= data.length * 8L) {
      throw new UnreadableHeaderException(what + " ends after " + data.length + " bytes");
    }
    int bit = data[(int) (position >> 3)] >> (7 - (int) (position & 7)) & 1;
    position++;
    return bit;
  }

  boolean flag() {
    return bit() == 1;
  }

  /** The next {@code count} bits, at most 64. */
  long bits(int count) {
    long value = 0;
    for (int i = 0; i < count; i++) {
      value = value << 1 | bit();
    }
    return value;
  }

  /** The next {@code count} bits, at most 31. */
  int u(int count) {
    return (int) bits(count);
  }

  byte[] bytes(int count) {
    if (count > data.length - (position >> 3)) {
      throw new UnreadableHeaderException(
          what + " ends after " + data.length + " bytes, inside a part of " + count);
    }
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) u(8);
    }
    return bytes;
  }

  void skip(int count) {
    for (int i = 0; i < count; i++) {
      bit();
    }
  }

  /** Unsigned Exp-Golomb: ue(v) of H.264 and H.265. */
  int ue() {
    int zeros = 0;
    while (bit() == 0) {
      if (++zeros >= MAX_ZEROS) {
        throw new UnreadableHeaderException(what + " holds a number of more than 32 bits");
      }
    }
    long value = (1L << zeros) - 1 + bits(zeros);
    if (value > Integer.MAX_VALUE) {
      throw new UnreadableHeaderException(what + " holds a number that is too large: " + value);
    }
    return (int) value;
  }

  /** As {@link #ue}, refused above {@code limit}. */
  int ueUpTo(int limit) {
    int value = ue();
    if (value > limit) {
      throw new UnreadableHeaderException(
          what + " holds " + value + " where " + limit + " is most");
    }
    return value;
  }

  /** Signed Exp-Golomb: se(v). */
  int se() {
    int code = ue();
    return (code & 1) == 1 ? (code >> 1) + 1 : -(code >> 1);
  }

  /** uvlc() of AV1. */
  void skipUvlc() {
    int zeros = 0;
    while (bit() == 0) {
      zeros++;
    }
    if (zeros < MAX_ZEROS) {
      skip(zeros);
    }
  }
}
