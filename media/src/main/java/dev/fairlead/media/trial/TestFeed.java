package dev.fairlead.media.trial;

import dev.fairlead.media.av.Encoded;
import dev.fairlead.media.av.Encoder;
import dev.fairlead.media.av.Picture;
import dev.fairlead.media.encode.VideoSettings;
import dev.fairlead.media.scale.Scaling;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/** Test pictures on their way into an encoder, and the time that the encoder takes for them. */
final class TestFeed implements AutoCloseable {
  private final Encoder encoder;
  private final TestPictures source;
  private final Scaling scaling;
  private final List<Encoded> packets = new ArrayList<>();
  private long nanos;

  TestFeed(VideoSettings settings, Encoder encoder) {
    this.encoder = encoder;
    this.source = TestPictures.of(settings);
    this.scaling = new Scaling(settings.target(), settings.timeBase(), settings.pixelFormat());
  }

  /** Encodes so many pictures, to the last packet. */
  void encode(int pictures, BooleanSupplier stop) {
    for (int i = 0; i < pictures; i++) {
      if (stop.getAsBoolean()) {
        throw new CancellationException("The trial is not wanted any more");
      }
      try (Picture made = source.next();
          Picture timed = made.at(i)) {
        scaling.scale(timed, this::encode);
      }
    }
    scaling.finish(this::encode);
    long begun = System.nanoTime();
    encoder.encode(null, packets::add);
    nanos += System.nanoTime() - begun;
  }

  private void encode(Picture scaled) {
    try (scaled) {
      long begun = System.nanoTime();
      encoder.encode(scaled, packets::add);
      nanos += System.nanoTime() - begun;
    }
  }

  List<Encoded> packets() {
    return List.copyOf(packets);
  }

  /** The time that was spent in the encoder. */
  long nanos() {
    return nanos;
  }

  @Override
  public void close() {
    scaling.close();
    source.close();
  }
}
