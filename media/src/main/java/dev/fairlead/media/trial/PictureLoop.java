package dev.fairlead.media.trial;

import dev.fairlead.media.av.Picture;
import dev.fairlead.media.scale.Scaling;
import dev.fairlead.media.settings.VideoSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * A few test pictures as an encoder takes them, over and over: made before the clock runs, so that
 * it is the encoder that is measured and not the processor. Threads share them.
 */
final class PictureLoop implements AutoCloseable {
  private static final int PICTURES = 8;

  private final List<Picture> pictures;

  private PictureLoop(List<Picture> pictures) {
    this.pictures = pictures;
  }

  static PictureLoop of(VideoSettings settings) {
    List<Picture> scaled = new ArrayList<>();
    try (TestPictures source = TestPictures.of(settings);
        Scaling scaling =
            new Scaling(settings.target(), settings.timeBase(), settings.pixelFormat())) {
      for (int i = 0; i < PICTURES; i++) {
        try (Picture made = source.next()) {
          scaling.scale(made, scaled::add);
        }
      }
      scaling.finish(scaled::add);
    }
    return new PictureLoop(scaled);
  }

  /** The picture that is shown then; the caller closes it. */
  Picture at(int time) {
    return pictures.get(time % pictures.size()).at(time);
  }

  @Override
  public void close() {
    pictures.forEach(Picture::close);
  }
}
