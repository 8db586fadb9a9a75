package dev.fairlead.media.pack;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing piece of an MP4 file: numbers in big endian, boxes within boxes. */
final class Boxes {
  private byte[] bytes = new byte[1024];
  private int size;

  /** A box of what {@code body} writes. */
  Boxes box(String type, Runnable body) {
    int start = size;
    u32(0).ascii(type);
    body.run();
    patch32(start, size - start);
    return this;
  }

  /** A box that begins with a version and flags. */
  Boxes fullBox(String type, int version, int flags, Runnable body) {
    return box(
        type,
        () -> {
          u32(version << 24 | flags);
          body.run();
        });
  }

  Boxes box(String type, byte[] body) {
    return box(type, () -> bytes(body));
  }

  Boxes u8(int value) {
    reserve(1);
    bytes[size++] = (byte) value;
    return this;
  }

  Boxes u16(int value) {
    return u8(value >> 8).u8(value);
  }

  Boxes u32(long value) {
    return u16((int) (value >> 16)).u16((int) value);
  }

  Boxes u64(long value) {
    return u32(value >> 32).u32(value);
  }

  Boxes zeros(int count) {
    reserve(count);
    size += count;
    return this;
  }

  Boxes bytes(byte[] value) {
    reserve(value.length);
    System.arraycopy(value, 0, bytes, size, value.length);
    size += value.length;
    return this;
  }

  Boxes ascii(String text) {
    return bytes(text.getBytes(StandardCharsets.US_ASCII));
  }

  int size() {
    return size;
  }

  void patch32(int at, int value) {
    int end = size;
    size = at;
    u32(value);
    size = end;
  }

  byte[] toByteArray() {
    return Arrays.copyOf(bytes, size);
  }

  private void reserve(int count) {
    if (size + count > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + count));
    }
  }
}
