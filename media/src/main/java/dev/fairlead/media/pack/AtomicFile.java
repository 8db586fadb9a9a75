package dev.fairlead.media.pack;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Writes a file so that its name stands for all of it or for nothing, crash or not. */
final class AtomicFile {
  private static final int BUFFER_BYTES = 1 << 16;

  private AtomicFile() {}

  /** What was written. */
  record Written(long bytes, String sha256) {}

  interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  static Written write(Publication publication, Path file, Content content) {
    Path draft = publication.draft(file);
    try {
      return write(publication, file, draft, content);
    } catch (IOException e) {
      throw new UncheckedIOException("Could not write " + file, e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Written write(Publication publication, Path file, Path draft, Content content)
      throws IOException, NoSuchAlgorithmException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      long bytes;
      try (FileChannel channel =
          FileChannel.open(
              draft,
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              StandardOpenOption.TRUNCATE_EXISTING)) {
        OutputStream raw = Channels.newOutputStream(channel);
        OutputStream out =
            new BufferedOutputStream(new DigestOutputStream(raw, digest), BUFFER_BYTES);
        content.writeTo(out);
        out.flush();
        channel.force(true);
        bytes = channel.size();
      }
      Written written = new Written(bytes, HexFormat.of().formatHex(digest.digest()));
      publication.publish(draft, file, bytes, written.sha256());
      return written;
    } finally {
      Files.deleteIfExists(draft);
    }
  }
}
