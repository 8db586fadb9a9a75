package dev.fairlead.media.plan;

import dev.fairlead.media.source.Rational;
import java.util.Optional;

/**
 * What is done to the pictures before they are scaled.
 *
 * @param maxFps frames a second above which frames are dropped
 */
public record PictureChoice(Optional<Rational> maxFps, Deinterlace deinterlace, Hdr hdr) {
  private static final int MOST_FPS = 1_000;
  private static final int FINEST_FPS = 10_000;

  /** Whether fields become frames. */
  public enum Deinterlace {
    /** Where the source is interlaced. */
    AUTO,
    OFF
  }

  /** What becomes of a high dynamic range. */
  public enum Hdr {
    TONEMAP,
    KEEP
  }

  public PictureChoice {
    maxFps.ifPresent(rate -> {
      if (rate.num() <= 0 || rate.den() > FINEST_FPS || rate.num() > (long) MOST_FPS * rate.den()) {
        throw new IllegalArgumentException(
            "The largest frame rate is %s; it can be above 0 and at most %d, in steps of 1/%d"
                .formatted(rate, MOST_FPS, FINEST_FPS));
      }
    });
  }

  static PictureChoice usual() {
    return new PictureChoice(Optional.empty(), Deinterlace.AUTO, Hdr.TONEMAP);
  }
}
