package dev.fairlead.service.job;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/** What the worker of a job has printed. */
final class WorkerLog {
  static final int MOST_BYTES = 64 << 10;

  private static final Path FILE = Path.of(".fairlead", "worker.log");

  private WorkerLog() {}

  /** Its end, from the start of a line; empty if there is none, or no more. */
  static String tail(Path output) {
    Path file = output.resolve(FILE);
    try {
      if (!file.toRealPath().equals(output.toRealPath().resolve(FILE))) {
        return ""; // a link leads elsewhere
      }
      try (SeekableByteChannel channel =
          Files.newByteChannel(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
        long from = Math.max(0, channel.size() - MOST_BYTES);
        ByteBuffer bytes = ByteBuffer.allocate((int) (channel.size() - from));
        channel.position(from);
        while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
          // A read may be short.
        }
        String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
        return from == 0 ? text : text.substring(text.indexOf('\n') + 1);
      }
    } catch (IOException gone) {
      return "";
    }
  }
}
