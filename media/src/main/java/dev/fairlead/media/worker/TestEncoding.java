package dev.fairlead.media.worker;

import dev.fairlead.media.av.AvException;
import dev.fairlead.media.av.Filter;
import dev.fairlead.media.av.Picture;
import dev.fairlead.media.chunk.Chunk;
import dev.fairlead.media.encode.ChunkEncoder;
import dev.fairlead.media.encode.EncodedChunk;
import dev.fairlead.media.settings.VideoSettings;
import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Encodes a few blank pictures at the size and depth of a rung: a device that opens is not yet a
 * device that encodes. Where the device scales them too they are half as large before.
 */
final class TestEncoding {
  private static final int PICTURES = 3;

  private TestEncoding() {}

  static Report.Tested run(Command.TestEncode command, BooleanSupplier stop)
      throws InterruptedException {
    VideoSettings settings = command.settings();
    String chain =
        "color=c=gray:s=%dx%d:r=25,format=%s"
            .formatted(
                before(settings.target().width(), settings),
                before(settings.target().height(), settings),
                settings.target().pixelFormat());
    List<Picture> pictures = new ArrayList<>();
    try (Filter source = Filter.source(chain, true)) {
      for (int i = 0; i < PICTURES; i++) {
        Picture picture = source.pull();
        if (picture == null) {
          throw new AvException("No picture to test with");
        }
        pictures.add(picture);
      }
      EncodedChunk encoded = ChunkEncoder.encode(Chunk.of(0, pictures, PICTURES), settings, stop);
      if (encoded.packets().size() != PICTURES) {
        throw new AvException(
            "%d pictures in, %d packets out".formatted(PICTURES, encoded.packets().size()));
      }
      return new Report.Tested(
          command.number(), encoded.header(), encoded.packets().getFirst().data());
    } finally {
      pictures.forEach(Picture::close);
    }
  }

  /** A side of the pictures before they are scaled: an even one, which every card takes. */
  private static int before(int side, VideoSettings settings) {
    return settings.deviceFrames() ? Math.max(2, side / 4 * 2) : side;
  }
}
