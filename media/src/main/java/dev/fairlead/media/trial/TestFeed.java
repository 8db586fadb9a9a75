package dev.fairlead.media.trial;

import dev.fairlead.media.av.Encoded;
import dev.fairlead.media.av.Encoder;
import dev.fairlead.media.av.Picture;
import dev.fairlead.media.scale.Scaling;
import dev.fairlead.media.settings.VideoSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Test pictures on their way into an encoder, and the time that the encoder takes for them. Packets
 * go on at once, since those of many large pictures would not fit into memory.
 */
final class TestFeed implements AutoCloseable {
  private final Encoder encoder;
  private final TestPictures source;
  private final Scaling scaling;
  private final Consumer<Encoded> sink;
  private final List<Encoded> ready = new ArrayList<>();
  private long nanos;

  TestFeed(VideoSettings settings, Encoder encoder, Consumer<Encoded> sink) {
    this.encoder = encoder;
    this.sink = sink;
    this.source = TestPictures.of(settings);
    this.scaling = Scaling.of(settings);
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
    give(null);
  }

  private void encode(Picture scaled) {
    try (scaled) {
      give(scaled);
    }
  }

  private void give(@Nullable Picture picture) {
    long begun = System.nanoTime();
    encoder.encode(picture, ready::add);
    nanos += System.nanoTime() - begun;
    ready.forEach(sink);
    ready.clear();
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
