package dev.fairlead.service.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * What tells a file from others without reading all of it: two machines that agree on this take it
 * for the same.
 *
 * @param first the SHA-256 of its first MiB, or of all if it has less
 * @param last that of its last MiB, likewise
 */
public record FileEnds(long bytes, String first, String last) {
  private static final int MIB = 1 << 20;
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

  public FileEnds {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes is negative: " + bytes);
    }
    requireHash(first);
    requireHash(last);
  }

  private static void requireHash(String hash) {
    if (hash == null || !HASH.matcher(hash).matches()) {
      throw new IllegalArgumentException(
          "first and last are SHA-256 hashes: 64 digits of the hexadecimal system");
    }
  }

  public static FileEnds of(Path file) throws IOException {
    long bytes = Files.size(file);
    try (InputStream in = Files.newInputStream(file)) {
      byte[] first = in.readNBytes(MIB);
      if (bytes <= MIB) {
        return new FileEnds(bytes, Sha256.of(first), Sha256.of(first));
      }
      // Where both overlap, the end of the first is the start of the last.
      in.skipNBytes(Math.max(0, bytes - 2L * MIB));
      byte[] rest = in.readNBytes(MIB);
      byte[] last = new byte[MIB];
      int missing = MIB - rest.length;
      System.arraycopy(first, MIB - missing, last, 0, missing);
      System.arraycopy(rest, 0, last, missing, rest.length);
      return new FileEnds(bytes, Sha256.of(first), Sha256.of(last));
    }
  }
}
