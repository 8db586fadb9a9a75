package dev.fairlead.media.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.media.av.Filter;
import dev.fairlead.media.av.Picture;
import dev.fairlead.media.chunk.Chunk;
import dev.fairlead.media.chunk.Chunker;
import dev.fairlead.media.chunk.ReadAhead;
import dev.fairlead.media.settings.ScalingTarget;
import dev.fairlead.media.source.Rational;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pictures of a chunk as an encoder reads them, scaled when it asks or ahead of it. */
@Timeout(60)
class ScaledPicturesTest {
  private static final int PICTURES = 12;
  private static final int MOST = 4;

  private static Scaling scaling() {
    return new Scaling(new ScalingTarget(32, 24, 8, false), new Rational(1, 25), "nv12");
  }

  private static List<Picture> pictures(int number) {
    List<Picture> pictures = new ArrayList<>();
    try (Filter source = Filter.source("testsrc2=s=64x48:r=25,format=yuv420p", true)) {
      for (int i = 0; i < number; i++) {
        try (Picture next = Objects.requireNonNull(source.pull())) {
          pictures.add(next.at(i));
        }
      }
    }
    return pictures;
  }

  private static List<Long> times(ScaledPictures pictures) throws InterruptedException {
    List<Long> times = new ArrayList<>();
    for (Picture next = pictures.next(); next != null; next = pictures.next()) {
      assertThat(next.width()).isEqualTo(32);
      times.add(next.pts());
      next.close();
    }
    return times;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyPictureComesOnceAndInItsOrder(boolean ahead) throws Exception {
    try (Chunk chunk = Chunk.of(0, pictures(PICTURES), PICTURES);
        ScaledPictures scaled =
            ahead
                ? ScaledPictures.ahead(chunk, scaling(), MOST)
                : ScaledPictures.whenAsked(chunk, scaling())) {
      assertThat(times(scaled)).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L);
      assertThat(scaled.next()).isNull();
    }
  }

  @Test
  void picturesAreScaledBeforeTheyAreAskedForButNotMoreThanAreAllowed() throws Exception {
    try (Chunk chunk = Chunk.of(0, pictures(PICTURES), PICTURES);
        ScaledAhead scaled = (ScaledAhead) ScaledPictures.ahead(chunk, scaling(), MOST)) {
      for (int asked = 0; asked < PICTURES - MOST; asked++) {
        while (scaled.ready() < MOST) {
          Thread.onSpinWait(); // ends by the limit of the test
        }
        assertThat(scaled.ready()).isEqualTo(MOST);
        Objects.requireNonNull(scaled.next()).close();
      }
    }
  }

  @Test
  void buffersAreUsedAgain() throws Exception {
    int scaler = 2; // the picture in work, and one that the filter keeps
    Set<Long> buffers = new HashSet<>();
    try (Chunk chunk = Chunk.of(0, pictures(60), 60);
        ScaledPictures scaled = ScaledPictures.ahead(chunk, scaling(), MOST)) {
      for (Picture next = scaled.next(); next != null; next = scaled.next()) {
        buffers.add(next.frame().data(0).address());
        next.close();
      }
    }
    assertThat(buffers).hasSizeBetween(1, MOST + 1 + scaler);
  }

  @Test
  void aChunkThatCannotBeDecodedToItsEndIsSaidToItsReader() throws Exception {
    List<Chunk> begun = new ArrayList<>();
    Chunker chunker = new Chunker(pts -> 0, new ReadAhead(), begun::add);
    for (Picture picture : pictures(3)) {
      chunker.add(picture);
    }
    try (Chunk chunk = begun.getFirst();
        ScaledPictures scaled = ScaledPictures.ahead(chunk, scaling(), MOST)) {
      for (int i = 0; i < 3; i++) {
        Objects.requireNonNull(scaled.next()).close();
      }
      chunker.close();
      assertThatThrownBy(scaled::next).isInstanceOf(CancellationException.class);
    }
  }

  @Test
  void closingDoesNotWaitForTheDecoder() throws Exception {
    List<Chunk> begun = new ArrayList<>();
    try (Chunker chunker = new Chunker(pts -> 0, new ReadAhead(), begun::add)) {
      chunker.add(pictures(1).getFirst());
      Chunk chunk = begun.getFirst();
      ScaledPictures scaled = ScaledPictures.ahead(chunk, scaling(), MOST);
      Objects.requireNonNull(scaled.next()).close();

      scaled.close();
      chunk.close();
    }
  }
}
