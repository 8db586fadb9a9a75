package dev.fairlead.media.encode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.av.Filter;
import dev.fairlead.media.av.Picture;
import dev.fairlead.media.chunk.Chunk;
import dev.fairlead.media.settings.EncoderKind;
import dev.fairlead.media.settings.ScalingTarget;
import dev.fairlead.media.settings.VideoSettings;
import dev.fairlead.media.source.Colour;
import dev.fairlead.media.source.Rational;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ChunkEncoderTest {
  private static final int PICTURES = 12;

  /** To ask is a sign of progress: a chunk may take as long as it likes while pictures go in. */
  @Test
  void asksWithEachPictureWhetherToStop() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    List<Picture> pictures = new ArrayList<>();
    try (Filter source = Filter.source("testsrc2=s=64x64:r=25,format=yuv420p", true)) {
      for (int i = 0; i < PICTURES; i++) {
        pictures.add(Objects.requireNonNull(source.pull()));
      }
      EncodedChunk encoded =
          ChunkEncoder.encode(
              Chunk.of(0, pictures, PICTURES),
              settings(),
              () -> {
                asked.incrementAndGet();
                return false;
              });
      assertThat(encoded.packets()).hasSize(PICTURES);
      // Once for each that goes in, and once for each that comes out at the end.
      assertThat(asked).hasValueGreaterThan(PICTURES);
    } finally {
      pictures.forEach(Picture::close);
    }
  }

  private static VideoSettings settings() {
    return new VideoSettings(
        EncoderKind.SVT_AV1,
        "",
        new ScalingTarget(64, 64, 8, false),
        new Rational(1, 25),
        new Rational(25, 1),
        13,
        40,
        0,
        Colour.unspecified());
  }
}
