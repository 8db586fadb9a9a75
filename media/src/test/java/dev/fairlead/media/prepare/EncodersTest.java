package dev.fairlead.media.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.media.av.Filter;
import dev.fairlead.media.chunk.Chunk;
import dev.fairlead.media.codec.CodecConfig;
import dev.fairlead.media.encode.ChunkEncoder;
import dev.fairlead.media.encode.EncodedChunk;
import dev.fairlead.media.settings.EncoderKind;
import dev.fairlead.media.settings.ScalingTarget;
import dev.fairlead.media.settings.VideoSettings;
import dev.fairlead.media.source.Colour;
import dev.fairlead.media.source.Rational;
import dev.fairlead.media.supervise.FailedException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What an encoder may promise. */
class EncodersTest {
  @Test
  void anEncoderThatCodesAnotherSizeThanItIsGivenIsNotUsed() throws Exception {
    VideoSettings settings =
        new VideoSettings(
            EncoderKind.SVT_AV1,
            "",
            new ScalingTarget(64, 64, 8, false),
            new Rational(1, 25),
            new Rational(25, 1),
            13,
            30,
            0,
            Colour.unspecified());
    CodecConfig.Picture config;
    try (Filter source = Filter.source("testsrc2=s=64x64:r=25,format=yuv420p", true);
        Chunk chunk = Chunk.of(0, List.of(Objects.requireNonNull(source.pull())), 1)) {
      EncodedChunk encoded = ChunkEncoder.encode(chunk, settings, () -> false);
      config =
          (CodecConfig.Picture)
              CodecConfig.of("av1", encoded.header(), encoded.packets().getFirst().data());
    }
    assertThat(Encoders.sized(config, settings)).isSameAs(config);
    VideoSettings fewer = settings.with(new ScalingTarget(64, 62, 8, false));
    assertThatThrownBy(() -> Encoders.sized(config, fewer))
        .isInstanceOf(FailedException.class)
        .hasMessage("svt-av1 codes 64×64 where 64×62 is asked for");
  }
}
