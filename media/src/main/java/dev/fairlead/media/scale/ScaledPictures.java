package dev.fairlead.media.scale;

import dev.fairlead.media.av.Picture;
import dev.fairlead.media.chunk.Chunk;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** The pictures of a chunk as an encoder wants them, in their order. One thread reads them. */
public sealed interface ScaledPictures extends AutoCloseable permits ScaledWhenAsked, ScaledAhead {
  /**
   * The next picture, which its reader owns; null if there are no more. Throws {@link
   * CancellationException} if the chunk cannot be decoded to its end.
   */
  @Nullable Picture next() throws InterruptedException;

  /** How long its reader has waited for pictures that were not there yet. */
  long waitedNanos();

  @Override
  void close();

  /**
   * Scales each picture when it is asked for, on the thread that asks: for encoders on the
   * processor, which have nothing to wait for meanwhile.
   *
   * @param scaling goes with what is made here
   */
  static ScaledPictures whenAsked(Chunk chunk, Scaling scaling) {
    return new ScaledWhenAsked(chunk, scaling);
  }

  /**
   * Scales on a thread of its own, from now on: for encoders on other devices, which are to have a
   * picture at hand whenever they are done with one.
   *
   * @param most how many pictures may be ready before they are read
   */
  static ScaledPictures ahead(Chunk chunk, Scaling scaling, int most) {
    return ScaledAhead.start(whenAsked(chunk, scaling), most);
  }
}
