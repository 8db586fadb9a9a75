package dev.fairlead.media.pack;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;

/** The boxes of a file, found by their path, such as {@code moof/traf/tfdt}. */
final class TestingBoxes {
  private static final Set<String> CONTAINERS =
      Set.of("moov", "trak", "edts", "mdia", "minf", "dinf", "stbl", "mvex", "moof", "traf");

  private final Map<String, ByteBuffer> bodies = new LinkedHashMap<>();

  TestingBoxes(byte[] file) {
    read("", ByteBuffer.wrap(file));
  }

  /** What follows size and type in the first box at {@code path}. */
  ByteBuffer body(String path) {
    ByteBuffer body = bodies.get(path);
    if (body == null) {
      throw new NoSuchElementException("No " + path + " among " + bodies.keySet());
    }
    return body.slice();
  }

  boolean has(String path) {
    return bodies.containsKey(path);
  }

  private void read(String prefix, ByteBuffer in) {
    while (in.remaining() >= 8) {
      long size = in.getInt() & 0xffffffffL;
      byte[] name = new byte[4];
      in.get(name);
      String path = prefix + new String(name, StandardCharsets.ISO_8859_1);
      int header = 8;
      if (size == 1) {
        size = in.getLong();
        header = 16;
      }
      int length = Math.toIntExact(size - header);
      ByteBuffer body = in.slice(in.position(), length);
      in.position(in.position() + length);
      bodies.putIfAbsent(path, body);
      if (CONTAINERS.contains(path.substring(prefix.length()))) {
        read(path + "/", body.slice());
      }
    }
    if (in.hasRemaining()) {
      throw new IllegalArgumentException(in.remaining() + " bytes too many in " + prefix);
    }
  }
}
