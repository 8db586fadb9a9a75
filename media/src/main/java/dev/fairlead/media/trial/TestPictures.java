package dev.fairlead.media.trial;

import dev.fairlead.media.av.AvException;
import dev.fairlead.media.av.Filter;
import dev.fairlead.media.av.Picture;
import dev.fairlead.media.settings.ScalingTarget;
import dev.fairlead.media.settings.VideoSettings;

/**
 * Pictures in colours that move, so that one is not taken for another, and the same each time they
 * are made. They are made one by one, since many large ones would not fit into memory.
 */
final class TestPictures implements AutoCloseable {
  private final Filter source;

  private TestPictures(Filter source) {
    this.source = source;
  }

  static TestPictures of(VideoSettings settings) {
    ScalingTarget target = settings.target();
    return new TestPictures(
        Filter.source(
            "testsrc2=s=%dx%d:r=%d/%d,format=%s"
                .formatted(
                    target.width(),
                    target.height(),
                    settings.frameRate().num(),
                    settings.frameRate().den(),
                    target.pixelFormat()),
            true));
  }

  /** The next one; the caller closes it. */
  Picture next() {
    Picture next = source.pull();
    if (next == null) {
      throw new AvException("No picture to test with");
    }
    return next;
  }

  @Override
  public void close() {
    source.close();
  }
}
