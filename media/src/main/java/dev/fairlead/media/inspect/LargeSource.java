package dev.fairlead.media.inspect;

import dev.fairlead.device.Bytes;
import java.nio.file.Path;

/** A source whose pictures are too large for the memory that may be used, or for anybody. */
public final class LargeSource extends RuntimeException {
  private static final long serialVersionUID = 1;

  private LargeSource(String message) {
    super(message);
  }

  static LargeSource of(Path source, int width, int height, long neededBytes) {
    return new LargeSource(
        "%s: has pictures of %dx%d, which need %s of memory to be decoded"
            .formatted(source, width, height, Bytes.of(neededBytes)));
  }
}
