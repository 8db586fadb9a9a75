package dev.fairlead.media.trial;

import dev.fairlead.media.av.Picture;
import dev.fairlead.media.scale.Scaling;
import dev.fairlead.media.settings.ScalingTarget;
import dev.fairlead.media.settings.VideoSettings;
import dev.fairlead.media.source.Rational;
import dev.fairlead.media.wire.TrialResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * Scales pictures in the memory of a card, and beside it on the processor, and compares them; every
 * second one with its colours interleaved, as cards decode them.
 */
public final class FramesTrial {
  private FramesTrial() {}

  /**
   * Runs it.
   *
   * @param settings with the card, and what its encoder wants
   * @param width of the pictures before they are scaled, as is {@code height}
   */
  public static TrialResult.Frames run(
      VideoSettings settings, int width, int height, int pictures, BooleanSupplier stop) {
    ScalingTarget target = settings.target();
    ScalingTarget before = new ScalingTarget(width, height, target.depth(), false);
    Likeness likeness = new Likeness(target.depth());
    int compared = 0;
    try (TestPictures source = TestPictures.of(settings.with(before));
        Scaling host = planar(target, settings.timeBase());
        // As decoders of cards give them out; others give out planes.
        Scaling interleaved = new Scaling(before, settings.timeBase(), settings.pixelFormat());
        Scaling card = Scaling.of(settings.withDeviceFrames(true));
        Scaling arranged = planar(target, settings.timeBase())) {
      for (int i = 0; i < pictures; i++) {
        if (stop.getAsBoolean()) {
          throw new CancellationException("The trial is not wanted any more");
        }
        List<Picture> scaled = new ArrayList<>();
        try (Picture made = source.next();
            Picture timed = made.at(i)) {
          host.scale(timed, scaled::add);
          if (i % 2 == 0) {
            card.scale(timed, there -> fetch(there, arranged, scaled));
          } else {
            interleaved.scale(timed, each -> scale(each, card, arranged, scaled));
          }
          if (scaled.size() == 2) {
            likeness.add(scaled.getFirst(), scaled.getLast());
            compared++;
          }
        } finally {
          scaled.forEach(Picture::close);
        }
      }
    }
    return new TrialResult.Frames(compared, likeness.luma(), likeness.chroma());
  }

  private static Scaling planar(ScalingTarget target, Rational timeBase) {
    return new Scaling(target, timeBase, target.pixelFormat());
  }

  private static void scale(Picture picture, Scaling card, Scaling arranged, List<Picture> scaled) {
    try (picture) {
      card.scale(picture, there -> fetch(there, arranged, scaled));
    }
  }

  private static void fetch(Picture there, Scaling arranged, List<Picture> scaled) {
    try (there;
        Picture here = there.downloaded()) {
      arranged.scale(here, scaled::add);
    }
  }
}
