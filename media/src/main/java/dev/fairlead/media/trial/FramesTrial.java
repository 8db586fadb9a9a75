package dev.fairlead.media.trial;

import dev.fairlead.media.av.Picture;
import dev.fairlead.media.encode.VideoSettings;
import dev.fairlead.media.probe.Rational;
import dev.fairlead.media.scale.Scaling;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/** Scales pictures in the memory of a card, and beside it on the processor, and compares them. */
public final class FramesTrial {
  private FramesTrial() {}

  /**
   * How near pictures of a card are to those of the processor, in decibels.
   *
   * @param pictures that were compared
   * @param lumaDb of their brightness
   */
  public record Seen(int pictures, double lumaDb, double chromaDb) {}

  /**
   * Runs it.
   *
   * @param settings with the card, and what its encoder wants
   * @param width of the pictures before they are scaled, as is {@code height}
   */
  public static Seen run(
      VideoSettings settings, int width, int height, int pictures, BooleanSupplier stop) {
    Scaling.Target target = settings.target();
    Scaling.Target before = new Scaling.Target(width, height, target.depth(), false);
    Likeness likeness = new Likeness(target.depth());
    int compared = 0;
    try (TestPictures source = TestPictures.of(settings.with(before));
        Scaling host = planar(target, settings.timeBase());
        Scaling card = settings.withDeviceFrames(true).scaling();
        Scaling arranged = planar(target, settings.timeBase())) {
      for (int i = 0; i < pictures; i++) {
        if (stop.getAsBoolean()) {
          throw new CancellationException("The trial is not wanted any more");
        }
        List<Picture> scaled = new ArrayList<>();
        try (Picture made = source.next();
            Picture timed = made.at(i)) {
          host.scale(timed, scaled::add);
          card.scale(timed, there -> fetch(there, arranged, scaled));
          if (scaled.size() == 2) {
            likeness.add(scaled.getFirst(), scaled.getLast());
            compared++;
          }
        } finally {
          scaled.forEach(Picture::close);
        }
      }
    }
    return new Seen(compared, likeness.luma(), likeness.chroma());
  }

  private static Scaling planar(Scaling.Target target, Rational timeBase) {
    return new Scaling(target, timeBase, target.pixelFormat());
  }

  private static void fetch(Picture there, Scaling arranged, List<Picture> scaled) {
    try (there;
        Picture here = there.downloaded()) {
      arranged.scale(here, scaled::add);
    }
  }
}
