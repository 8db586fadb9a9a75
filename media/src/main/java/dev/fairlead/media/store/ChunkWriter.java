package dev.fairlead.media.store;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/**
 * Writes a file of samples, one by one; {@link ChunkFile} says how it looks.
 *
 * <p>Nothing has the file's name before {@link #commit}. Closing without that leaves nothing.
 */
public final class ChunkWriter implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final Path file;
  private final Path partial;
  private final FileChannel channel;
  private final CRC32C check = new CRC32C();
  private final OutputStream out;
  private final ByteArrayOutputStream table = new ByteArrayOutputStream();
  private final ByteBuffer row = ByteBuffer.allocate(ChunkFile.ROW_BYTES);
  private int samples;
  private long dataBytes;
  private long headBytes;
  private boolean committed;

  private ChunkWriter(Path file, Path partial, FileChannel channel) {
    this.file = file;
    this.partial = partial;
    this.channel = channel;
    this.out = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER_BYTES);
  }

  /** Begins a file; its directory is made if need be. */
  public static ChunkWriter open(Path file, ChunkHeader header) {
    Path partial = DurableFiles.partialOf(file);
    byte[] bytes = header.toBytes();
    try {
      DurableFiles.createDirectories(DurableFiles.directoryOf(file));
      ChunkWriter writer =
          new ChunkWriter(
              file,
              partial,
              FileChannel.open(partial, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
      writer.begin(bytes);
      return writer;
    } catch (IOException failure) {
      DurableFiles.deleteQuietly(partial);
      throw new UncheckedIOException("Cannot write " + file, failure);
    }
  }

  private void begin(byte[] header) throws IOException {
    ByteBuffer prefix = ByteBuffer.allocate(ChunkFile.PREFIX_BYTES + header.length);
    prefix.putInt(ChunkFile.MAGIC).putInt(ChunkFile.VERSION).putInt(header.length).put(header);
    check.update(prefix.array());
    headBytes = prefix.capacity();
    try {
      out.write(prefix.array());
    } catch (IOException failure) {
      channel.close();
      throw failure;
    }
  }

  public void add(Sample sample) {
    row.clear()
        .putLong(sample.pts())
        .putLong(sample.dts())
        .putLong(sample.duration())
        .putInt(sample.data().length)
        .putInt(ChunkFile.checkOf(sample.data()))
        .put((byte) (sample.sync() ? 1 : 0));
    try {
      out.write(sample.data());
    } catch (IOException failure) {
      throw new UncheckedIOException("Cannot write " + file, failure);
    }
    table.writeBytes(row.array());
    dataBytes += sample.data().length;
    samples = Math.incrementExact(samples);
  }

  /** Makes the file complete and durable, and gives it its name. */
  public ChunkFile.Summary commit() {
    byte[] rows = table.toByteArray();
    ByteBuffer counts =
        ByteBuffer.allocate(ChunkFile.COUNTS_BYTES).putInt(samples).putLong(dataBytes);
    check.update(rows);
    check.update(counts.flip());
    ByteBuffer tail = ByteBuffer.allocate(ChunkFile.COUNTS_BYTES + Integer.BYTES);
    tail.put(counts.flip()).putInt((int) check.getValue());
    try {
      out.write(rows);
      out.write(tail.array());
      out.flush();
      channel.force(true);
      channel.close();
      DurableFiles.rename(partial, file);
      committed = true;
      return new ChunkFile.Summary(
          samples,
          headBytes + dataBytes + rows.length + tail.capacity(),
          HexFormat.of().toHexDigits((int) check.getValue()));
    } catch (IOException failure) {
      throw new UncheckedIOException("Cannot write " + file, failure);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException ignored) {
      // a commit has reported it; without one the file does not matter
    }
    if (!committed) {
      DurableFiles.deleteQuietly(partial);
    }
  }
}
