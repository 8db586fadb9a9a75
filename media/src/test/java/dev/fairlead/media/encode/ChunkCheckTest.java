package dev.fairlead.media.encode;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.media.av.AvException;
import dev.fairlead.media.av.Encoded;
import dev.fairlead.media.av.Filter;
import dev.fairlead.media.av.Picture;
import dev.fairlead.media.chunk.Chunk;
import dev.fairlead.media.settings.EncoderKind;
import dev.fairlead.media.settings.ScalingTarget;
import dev.fairlead.media.settings.VideoSettings;
import dev.fairlead.media.source.Colour;
import dev.fairlead.media.source.Rational;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An encoder that lies is found out, whatever it lies about. */
class ChunkCheckTest {
  private static Chunk chunk() {
    List<Picture> pictures = new ArrayList<>();
    try (Filter source = Filter.source("testsrc2=s=64x64:r=25,format=yuv420p", true)) {
      for (int i = 0; i < 5; i++) {
        pictures.add(Objects.requireNonNull(source.pull()));
      }
    }
    return Chunk.of(7, pictures, 5);
  }

  private static VideoSettings settings(EncoderKind kind) {
    return new VideoSettings(
        kind,
        "",
        new ScalingTarget(64, 64, 8, false),
        new Rational(1, 25),
        new Rational(25, 1),
        13,
        40,
        0,
        Colour.unspecified());
  }

  private static EncodedChunk with(EncodedChunk encoded, int place, UnaryOperator<Encoded> lie) {
    List<Encoded> packets = new ArrayList<>(encoded.packets());
    packets.set(place, lie.apply(packets.get(place)));
    return new EncodedChunk(encoded.header(), packets);
  }

  private static Encoded data(Encoded packet, byte[] data) {
    return new Encoded(packet.pts(), packet.dts(), packet.duration(), packet.key(), data);
  }

  private static void requireLie(Chunk chunk, EncodedChunk encoded, EncoderKind kind, String what) {
    assertThatThrownBy(() -> ChunkCheck.check(chunk, encoded, kind))
        .isInstanceOf(AvException.class)
        .hasMessageContaining("Chunk 7")
        .hasMessageContaining(what);
  }

  @ParameterizedTest
  @EnumSource(names = {"SVT_AV1", "AOM_AV1", "OPEN_H264"})
  void everyLieIsFound(EncoderKind kind) throws Exception {
    try (Chunk chunk = chunk()) {
      EncodedChunk honest = ChunkEncoder.encode(chunk, settings(kind), () -> false);
      assertThatCode(() -> ChunkCheck.check(chunk, honest, kind)).doesNotThrowAnyException();
      assertThatCode(() -> ChunkCheck.decodeFirst(chunk, honest, kind.codec()))
          .doesNotThrowAnyException();

      requireLie(
          chunk,
          new EncodedChunk(honest.header(), honest.packets().subList(0, 4)),
          kind,
          "5 pictures in, 4 packets out");
      requireLie(
          chunk,
          with(honest, 2, it -> new Encoded(99, it.dts(), it.duration(), it.key(), it.data())),
          kind,
          "came out at");
      requireLie(
          chunk,
          with(honest, 0, it -> new Encoded(it.pts(), it.dts(), it.duration(), false, it.data())),
          kind,
          "does not begin with a key");
      requireLie(chunk, with(honest, 1, it -> data(it, new byte[0])), kind, "no picture");
      byte[] noise = new byte[100];
      Arrays.fill(noise, (byte) 0x5a);
      requireLie(chunk, with(honest, 4, it -> data(it, noise)), kind, "no picture");
      EncodedChunk torn = with(honest, 0, it -> data(it, Arrays.copyOf(it.data(), 24)));
      assertThatThrownBy(() -> ChunkCheck.decodeFirst(chunk, torn, kind.codec()))
          .isInstanceOf(AvException.class)
          .hasMessageContaining("first picture cannot be decoded");
    }
  }
}
