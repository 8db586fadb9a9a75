package dev.fairlead.media.scale;

import dev.fairlead.media.av.Picture;
import dev.fairlead.media.chunk.Chunk;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Scales on the thread that asks. A filter may hold pictures back, and then give out several. */
final class ScaledWhenAsked implements ScaledPictures {
  private final Chunk chunk;
  private final Scaling scaling;
  private final Deque<Picture> scaled = new ArrayDeque<>();
  private int place;
  private long waited;
  private boolean finished;

  ScaledWhenAsked(Chunk chunk, Scaling scaling) {
    this.chunk = chunk;
    this.scaling = scaling;
  }

  @Override
  public @Nullable Picture next() throws InterruptedException {
    while (scaled.isEmpty() && !finished) {
      long asked = System.nanoTime();
      Picture picture = chunk.get(place++);
      waited += System.nanoTime() - asked;
      if (picture == null) {
        finished = true;
        scaling.finish(scaled::add);
      } else {
        scaling.scale(picture, scaled::add);
      }
    }
    return scaled.poll();
  }

  @Override
  public long waitedNanos() {
    return waited;
  }

  @Override
  public void close() {
    scaled.forEach(Picture::close);
    scaled.clear();
    scaling.close();
  }
}
