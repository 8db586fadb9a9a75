package dev.fairlead.media.store;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A durable file of samples, open for reading: what was encoded of one unit. The same samples give
 * the same bytes.
 *
 * <pre>
 *   prefix   magic, version, length of the header
 *   header   {@link ChunkHeader}
 *   data     of all samples, one after another
 *   table    a row for each sample: pts, dts, duration, bytes, CRC-32C of its data, whether
 *            decoding can begin there
 *   counts   samples, bytes of data
 *   check    CRC-32C of prefix, header, table and counts
 * </pre>
 *
 * <p>The table comes after the data, so that both can be streamed. Opening reads all but the data
 * and proves it with the check; the data of a sample is proven whenever it is read. Nothing is
 * allocated that the size of the file does not vouch for.
 */
public final class ChunkFile implements AutoCloseable {
  static final int MAGIC = 0x464c4348; // FLCH
  static final int VERSION = 2;
  static final int PREFIX_BYTES = 3 * Integer.BYTES;
  static final int ROW_BYTES = 3 * Long.BYTES + 2 * Integer.BYTES + 1;
  static final int COUNTS_BYTES = Integer.BYTES + Long.BYTES;
  private static final int TAIL_BYTES = COUNTS_BYTES + Integer.BYTES;

  /** A table larger than this is not one that was written. */
  private static final long MOST_TABLE_BYTES = 1L << 30;

  private final Path file;
  private final FileChannel channel;
  private final ChunkHeader header;
  private final List<Entry> table;

  /**
   * What the journal says of a file.
   *
   * @param checksum the one at its end, in hexadecimal
   */
  public record Summary(int samples, long bytes, String checksum) {}

  /**
   * A sample without its data.
   *
   * @param offset where its data is in the file
   * @param check the CRC-32C of its data
   */
  public record Entry(
      long pts, long dts, long duration, boolean sync, long offset, int bytes, int check) {}

  private ChunkFile(Path file, FileChannel channel, ChunkHeader header, List<Entry> table) {
    this.file = file;
    this.channel = channel;
    this.header = header;
    this.table = List.copyOf(table);
  }

  /** Writes a file, durable when this returns. */
  public static Summary write(Path file, ChunkHeader header, List<Sample> samples) {
    try (ChunkWriter writer = ChunkWriter.open(file, header)) {
      samples.forEach(writer::add);
      return writer.commit();
    }
  }

  /** All samples of a file that is proven whole. */
  public static List<Sample> read(Path file) {
    try (ChunkFile chunk = open(file)) {
      List<Sample> samples = new ArrayList<>(chunk.table.size());
      for (Entry entry : chunk.table) {
        samples.add(chunk.sample(entry));
      }
      return samples;
    }
  }

  /**
   * Opens a file.
   *
   * @throws CorruptChunk if it is not whole
   */
  public static ChunkFile open(Path file) {
    try {
      FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
      try {
        return read(file, channel);
      } catch (Throwable failure) {
        channel.close();
        throw failure;
      }
    } catch (EOFException early) {
      throw new CorruptChunk(file, "it ends too early", early);
    } catch (IOException failure) {
      throw new UncheckedIOException("Cannot read " + file, failure);
    }
  }

  private static ChunkFile read(Path file, FileChannel channel) throws IOException {
    long size = channel.size();
    if (size < PREFIX_BYTES + TAIL_BYTES) {
      throw new CorruptChunk(file, "it has only " + size + " bytes");
    }
    byte[] beginning = bytes(channel, 0, PREFIX_BYTES);
    ByteBuffer prefix = ByteBuffer.wrap(beginning);
    if (prefix.getInt() != MAGIC) {
      throw new CorruptChunk(file, "it begins with something else");
    }
    int version = prefix.getInt();
    if (version != VERSION) {
      throw new CorruptChunk(file, "it has version " + version + ", not " + VERSION);
    }
    int headerBytes = prefix.getInt();
    byte[] end = bytes(channel, size - TAIL_BYTES, TAIL_BYTES);
    ByteBuffer tail = ByteBuffer.wrap(end);
    int samples = tail.getInt();
    long dataBytes = tail.getLong();
    long tableBytes = (long) samples * ROW_BYTES;
    if (headerBytes < 0 || headerBytes > ChunkHeader.MOST_BYTES) {
      throw new CorruptChunk(file, "a header of " + headerBytes + " bytes");
    }
    if (samples < 0 || tableBytes > MOST_TABLE_BYTES) {
      throw new CorruptChunk(file, "a table of " + samples + " samples");
    }
    long rest = size - PREFIX_BYTES - headerBytes - tableBytes - TAIL_BYTES;
    if (rest < 0 || rest != dataBytes) {
      throw new CorruptChunk(file, "%d bytes cannot hold %d of data".formatted(size, dataBytes));
    }
    byte[] head = bytes(channel, PREFIX_BYTES, headerBytes);
    byte[] rows = bytes(channel, size - TAIL_BYTES - tableBytes, (int) tableBytes);
    CRC32C check = new CRC32C();
    check.update(beginning);
    check.update(head);
    check.update(rows);
    check.update(end, 0, COUNTS_BYTES);
    if (tail.getInt() != (int) check.getValue()) {
      throw new CorruptChunk(file, "its table does not match its checksum");
    }
    return new ChunkFile(
        file,
        channel,
        header(file, head),
        table(file, ByteBuffer.wrap(rows), PREFIX_BYTES + headerBytes, dataBytes));
  }

  private static ChunkHeader header(Path file, byte[] bytes) throws IOException {
    try {
      return ChunkHeader.parse(bytes);
    } catch (IllegalArgumentException mistake) {
      throw new CorruptChunk(file, "its header has " + mistake.getMessage(), mistake);
    }
  }

  private static List<Entry> table(Path file, ByteBuffer rows, long dataStart, long dataBytes) {
    List<Entry> table = new ArrayList<>(rows.capacity() / ROW_BYTES);
    long offset = dataStart;
    while (rows.hasRemaining()) {
      long pts = rows.getLong();
      long dts = rows.getLong();
      long duration = rows.getLong();
      int bytes = rows.getInt();
      int check = rows.getInt();
      byte sync = rows.get();
      if (bytes < 0 || bytes > dataStart + dataBytes - offset || (sync & ~1) != 0) {
        throw new CorruptChunk(
            file, "sample %d has an impossible size or flag".formatted(table.size()));
      }
      table.add(new Entry(pts, dts, duration, sync == 1, offset, bytes, check));
      offset += bytes;
    }
    if (offset != dataStart + dataBytes) {
      throw new CorruptChunk(file, "there is data that no sample has");
    }
    return table;
  }

  public ChunkHeader header() {
    return header;
  }

  /** The samples without their data, in order. */
  public List<Entry> table() {
    return table;
  }

  /** A sample with its data. */
  public Sample sample(Entry entry) {
    return new Sample(entry.pts(), entry.dts(), entry.duration(), entry.sync(), data(entry));
  }

  /**
   * The data of a sample.
   *
   * @throws CorruptChunk if it is not what was written
   */
  public byte[] data(Entry entry) {
    try {
      byte[] data = bytes(channel, entry.offset(), entry.bytes());
      if (checkOf(data) != entry.check()) {
        throw new CorruptChunk(file, "the data at " + entry.offset() + " is not what was written");
      }
      return data;
    } catch (EOFException early) {
      throw new CorruptChunk(file, "it ends too early", early);
    } catch (IOException failure) {
      throw new UncheckedIOException("Cannot read " + file, failure);
    }
  }

  /**
   * Reads the file through and proves it whole.
   *
   * @throws CorruptChunk if it is not
   */
  public void verify() {
    table.forEach(this::data);
  }

  static int checkOf(byte[] data) {
    CRC32C check = new CRC32C();
    check.update(data);
    return (int) check.getValue();
  }

  private static byte[] bytes(FileChannel channel, long at, int count) throws IOException {
    byte[] bytes = new byte[count];
    ByteBuffer rest = ByteBuffer.wrap(bytes);
    while (rest.hasRemaining()) {
      if (channel.read(rest, at + rest.position()) < 0) {
        throw new EOFException("At " + at);
      }
    }
    return bytes;
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException ignored) {
      // it was only read
    }
  }
}
