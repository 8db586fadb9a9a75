package dev.fairlead.media.store;

import java.io.*;
import java.nio.file.*;
import java.security.*;
import java.util.*;

@SuppressWarnings("ArrayRecordComponent")
public record ChunkFile(byte[] header, List<Sample> samples) {
  public record Written(long bytes, String sha256) {}

  public static Written write(Path file, byte[] header, List<Sample> samples) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(header.length);
      out.write(header);
      out.writeInt(samples.size());
      for (Sample s : samples) {
        out.writeLong(s.pts());
        out.writeLong(s.dts());
        out.writeLong(s.duration());
        out.writeBoolean(s.sync());
        out.writeInt(s.data().length);
        out.write(s.data());
      }
    }
    Path tmp = file.resolveSibling(file.getFileName() + ".tmp");
    Files.write(tmp, bytes.toByteArray());
    Files.move(tmp, file, StandardCopyOption.ATOMIC_MOVE);
    try {
      return new Written(
          bytes.size(),
          HexFormat.of()
              .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray())));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  public static ChunkFile read(Path file) {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
      byte[] header = in.readNBytes(in.readInt());
      List<Sample> samples = new ArrayList<>();
      for (int n = in.readInt(); n > 0; n--) {
        samples.add(
            new Sample(
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readBoolean(),
                in.readNBytes(in.readInt())));
      }
      return new ChunkFile(header, samples);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
