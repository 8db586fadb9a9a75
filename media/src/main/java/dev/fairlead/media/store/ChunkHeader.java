package dev.fairlead.media.store;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is known of the samples in a file, beside the samples.
 *
 * @param timescale ticks a second of their times
 * @param config what a decoder needs first: a sequence header, OpusHead, AudioSpecificConfig
 * @param facts anything else by name, such as the encoder or the number of channels
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, never changed or compared
public record ChunkHeader(
    UnitId unit, int timescale, byte[] config, SortedMap<String, String> facts) {
  /** More than any header has; a larger one is not a header. */
  static final int MOST_BYTES = 1 << 20;

  public ChunkHeader {
    facts = Collections.unmodifiableSortedMap(new TreeMap<>(facts));
  }

  public static ChunkHeader of(UnitId unit, int timescale, byte[] config) {
    return new ChunkHeader(unit, timescale, config, new TreeMap<>());
  }

  public ChunkHeader with(String fact, Object value) {
    SortedMap<String, String> more = new TreeMap<>(facts);
    more.put(fact, value.toString());
    return new ChunkHeader(unit, timescale, config, more);
  }

  byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      write(out, unit.toString());
      out.writeInt(timescale);
      write(out, config);
      out.writeInt(facts.size());
      for (Map.Entry<String, String> fact : facts.entrySet()) {
        write(out, fact.getKey());
        write(out, fact.getValue());
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    if (bytes.size() > MOST_BYTES) {
      throw new IllegalArgumentException(
          "The header of %s has %d bytes; %d is the most"
              .formatted(unit, bytes.size(), MOST_BYTES));
    }
    return bytes.toByteArray();
  }

  /**
   * Reads what {@link #toBytes} made.
   *
   * @throws IOException if it ends early
   * @throws IllegalArgumentException if its lengths do not fit
   */
  static ChunkHeader parse(byte[] bytes) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      UnitId unit = UnitId.parse(readText(in));
      int timescale = in.readInt();
      byte[] config = read(in);
      SortedMap<String, String> facts = new TreeMap<>();
      int count = in.readInt();
      for (int i = 0; i < count; i++) {
        facts.put(readText(in), readText(in));
      }
      if (in.available() > 0) {
        throw new IllegalArgumentException(in.available() + " bytes too many");
      }
      return new ChunkHeader(unit, timescale, config, facts);
    }
  }

  private static void write(DataOutputStream out, String text) throws IOException {
    write(out, text.getBytes(StandardCharsets.UTF_8));
  }

  private static void write(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static String readText(DataInputStream in) throws IOException {
    return new String(read(in), StandardCharsets.UTF_8);
  }

  private static byte[] read(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new IllegalArgumentException(length + " bytes, where " + in.available() + " are left");
    }
    return in.readNBytes(length);
  }
}
