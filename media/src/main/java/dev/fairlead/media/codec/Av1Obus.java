package dev.fairlead.media.codec;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.function.Consumer;

/** The open bitstream units of AV1, low-overhead format (AV1 specification, section 5.3). */
public final class Av1Obus {
  private static final int SEQUENCE_HEADER = 1;
  private static final int TEMPORAL_DELIMITER = 2;
  private static final int FRAME_HEADER = 3;
  private static final int FRAME = 6;
  private static final int TILE_LIST = 8;
  private static final int PADDING = 15;
  private static final int CONFIG_RECORD_BYTES = 4;

  private Av1Obus() {}

  /** Bytes {@code from} to {@code to}; what they hold begins at {@code payload}. */
  private record Obu(int type, int from, int payload, int to) {}

  /** What the first sequence header in {@code data} holds; {@code data} may also be an av1C. */
  static byte[] sequenceHeader(byte[] data) {
    // The first bit of an OBU is zero, that of an av1C is one.
    boolean isConfig = data.length >= CONFIG_RECORD_BYTES && data[0] < 0;
    byte[] obus = isConfig ? Arrays.copyOfRange(data, CONFIG_RECORD_BYTES, data.length) : data;
    byte[][] found = new byte[1][];
    each(
        obus,
        obu -> {
          if (obu.type == SEQUENCE_HEADER && found[0] == null) {
            found[0] = Arrays.copyOfRange(obus, obu.payload, obu.to);
          }
        });
    if (found[0] == null) {
      throw new UnreadableHeaderException(
          "No AV1 sequence header in " + data.length + " bytes: give a sync sample");
    }
    return found[0];
  }

  /** A sequence header unit with its size, as an av1C holds it. */
  static byte[] unit(byte[] sequenceHeader) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(SEQUENCE_HEADER << 3 | 2);
    int rest = sequenceHeader.length;
    while (rest > 0x7f) {
      out.write((rest & 0x7f) | 0x80);
      rest >>= 7;
    }
    out.write(rest);
    out.writeBytes(sequenceHeader);
    return out.toByteArray();
  }

  /** The packet without what a file does not hold: temporal delimiters, tile lists, padding. */
  static byte[] sample(byte[] packet) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(packet.length);
    each(
        packet,
        obu -> {
          if (obu.type != TEMPORAL_DELIMITER && obu.type != TILE_LIST && obu.type != PADDING) {
            out.write(packet, obu.from, obu.to - obu.from);
          }
        });
    return out.size() == packet.length ? packet : out.toByteArray();
  }

  /** Whether the packet is made of whole units, one of them a picture. */
  public static boolean holdsPicture(byte[] packet) {
    boolean[] found = new boolean[1];
    try {
      each(packet, obu -> found[0] |= obu.type == FRAME || obu.type == FRAME_HEADER);
    } catch (UnreadableHeaderException garbled) {
      return false;
    }
    return found[0];
  }

  private static void each(byte[] data, Consumer<Obu> use) {
    int at = 0;
    while (at < data.length) {
      int header = data[at];
      if (header < 0) {
        throw new UnreadableHeaderException("No AV1 unit begins with " + (header & 0xff));
      }
      int payload = at + ((header & 4) != 0 ? 2 : 1);
      long size = (long) data.length - payload;
      if ((header & 2) != 0) {
        size = 0;
        int shift = 0;
        int next;
        do {
          if (payload >= data.length || shift > 28) {
            throw truncated(data);
          }
          next = data[payload++];
          size |= (long) (next & 0x7f) << shift;
          shift += 7;
        } while (next < 0);
      }
      if (size < 0 || size > data.length - payload) {
        throw truncated(data);
      }
      int end = payload + (int) size;
      use.accept(new Obu(header >> 3 & 15, at, payload, end));
      at = end;
    }
  }

  private static UnreadableHeaderException truncated(byte[] data) {
    return new UnreadableHeaderException("An AV1 unit goes past the end of " + data.length);
  }
}
