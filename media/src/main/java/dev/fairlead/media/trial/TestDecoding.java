package dev.fairlead.media.trial;

import dev.fairlead.media.av.AvException;
import dev.fairlead.media.av.Decoder;
import dev.fairlead.media.av.Encoded;
import dev.fairlead.media.av.Picture;
import dev.fairlead.media.encode.EncodedChunk;
import dev.fairlead.media.encode.VideoSettings;
import org.bytedeco.ffmpeg.global.avutil;

/**
 * What a chunk of test pictures becomes when the processor decodes it.
 *
 * @param width of the first picture, as is {@code height}; zero if there is none
 * @param lumaDb in decibels, as is {@code chromaDb}; zero if a picture has another shape
 */
record TestDecoding(int decoded, int width, int height, double lumaDb, double chromaDb) {

  /** Pictures that come out of a decoder, compared with those that were encoded. */
  private static final class Comparison implements AutoCloseable {
    private final VideoSettings settings;
    private final TestPictures source;
    private final Likeness likeness;
    private int decoded;
    private int width;
    private int height;
    private boolean alike = true;

    Comparison(VideoSettings settings) {
      this.settings = settings;
      this.source = TestPictures.of(settings);
      this.likeness = new Likeness(settings.target().depth());
    }

    void see(Picture picture) {
      try (picture;
          Picture original = source.next()) {
        if (decoded == 0) {
          width = picture.width();
          height = picture.height();
        }
        decoded++;
        Picture.Shape shape = picture.shape();
        if (shape.width() == original.width()
            && shape.height() == original.height()
            && shape.format() == avutil.av_get_pix_fmt(settings.target().pixelFormat())) {
          likeness.add(original, picture);
        } else {
          alike = false;
        }
      }
    }

    TestDecoding seen() {
      boolean compared = alike && decoded > 0;
      return new TestDecoding(
          decoded, width, height, compared ? likeness.luma() : 0, compared ? likeness.chroma() : 0);
    }

    @Override
    public void close() {
      source.close();
    }
  }

  static TestDecoding of(VideoSettings settings, EncodedChunk chunk) {
    try (Comparison comparison = new Comparison(settings);
        Decoder decoder = Decoder.open(settings.kind().codec())) {
      try {
        boolean first = true;
        for (Encoded packet : chunk.packets()) {
          boolean _ =
              decoder.decodeNext(first ? chunk.beginning() : packet.data(), comparison::see);
          first = false;
        }
        boolean _ = decoder.decode(null, comparison::see);
      } catch (AvException undecodable) {
        // Fewer pictures than packets say it.
      }
      return comparison.seen();
    }
  }
}
