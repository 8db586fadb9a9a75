package dev.fairlead.media.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.media.av.AvException;
import dev.fairlead.media.av.Filter;
import dev.fairlead.media.chunk.Chunk;
import dev.fairlead.media.encode.ChunkEncoder;
import dev.fairlead.media.source.Colour;
import dev.fairlead.media.source.Rational;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bytedeco.ffmpeg.avcodec.AVCodec;
import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avutil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What each encoder is told, and that the bundled FFmpeg understands it. */
class EncoderKindTest {
  private static final String NODE = "/dev/dri/renderD199";

  private static VideoSettings settings(EncoderKind kind, String device, int depth, long maxrate) {
    return new VideoSettings(
        kind,
        device,
        new ScalingTarget(64, 64, depth, false),
        new Rational(1, 25),
        new Rational(25, 1),
        10,
        30,
        maxrate,
        Colour.unspecified());
  }

  @ParameterizedTest
  @EnumSource
  void everyOptionIsKnownToTheEncoder(EncoderKind kind) {
    AVCodec codec = avcodec.avcodec_find_encoder_by_name(kind.encoder());
    assertThat(codec).as(kind.encoder()).isNotNull();
    for (long maxrate : new long[] {0, 500_000}) {
      AVCodecContext context = avcodec.avcodec_alloc_context3(codec);
      try {
        kind.options(settings(kind, "1", 8, maxrate))
            .forEach((name, value) ->
                assertThat(avutil.av_opt_set(context, name, value, avutil.AV_OPT_SEARCH_CHILDREN))
                    .as("%s=%s for %s", name, value, kind)
                    .isZero());
      } finally {
        avcodec.avcodec_free_context(context);
      }
    }
  }

  @Test
  void nvencIsToldAQuality() {
    assertThat(EncoderKind.NVENC_AV1.options(settings(EncoderKind.NVENC_AV1, "3", 8, 0)))
        .isEqualTo(Map.of("rc", "vbr", "cq", "30", "preset", "p3", "surfaces", "16"));
  }

  @ParameterizedTest
  @CsvSource({"1920, 1080, 8, 16", "3840, 2160, 8, 16", "3840, 2160, 10, 10", "7680, 4320, 10, 4"})
  void nvencIsHandedManyPicturesAheadButFewThatAreLarge(
      int width, int height, int depth, int surfaces) {
    VideoSettings plain = settings(EncoderKind.NVENC_AV1, "3", depth, 0);
    assertThat(
            EncoderKind.NVENC_AV1.options(
                plain.with(new ScalingTarget(width, height, depth, false))))
        .containsEntry("surfaces", String.valueOf(surfaces));
  }

  private static VideoSettings nvenc(int preset, int crf, Rational rate) {
    return new VideoSettings(
        EncoderKind.NVENC_AV1,
        "0",
        new ScalingTarget(64, 64, 8, false),
        new Rational(1, 90_000),
        rate,
        preset,
        crf,
        0,
        Colour.unspecified());
  }

  @Test
  void thePresetsOfNvencGoTheOtherWay() {
    Rational rate = new Rational(25, 1);
    assertThat(EncoderKind.NVENC_AV1.options(nvenc(0, 30, rate))).containsEntry("preset", "p7");
    assertThat(EncoderKind.NVENC_AV1.options(nvenc(13, 30, rate))).containsEntry("preset", "p1");
  }

  @Test
  void theFinestQualityIsNotLeftToTheDriver() {
    assertThat(EncoderKind.NVENC_AV1.options(nvenc(9, 0, new Rational(25, 1))))
        .containsEntry("cq", "1");
  }

  @Test
  void aGpuDoesNotTakeTicksForFrames() {
    assertThat(nvenc(9, 30, new Rational(0, 1)).toldRate()).isEqualTo(new Rational(25, 1));
    assertThat(nvenc(9, 30, new Rational(30, 1)).toldRate()).isEqualTo(new Rational(30, 1));
  }

  @Test
  void vaapiIsToldAQualityOrALimit() {
    assertThat(EncoderKind.VAAPI_AV1.options(settings(EncoderKind.VAAPI_AV1, NODE, 8, 0)))
        .isEqualTo(Map.of("rc_mode", "CQP", "global_quality", "120"));
    assertThat(EncoderKind.VAAPI_HEVC.options(settings(EncoderKind.VAAPI_HEVC, NODE, 8, 0)))
        .isEqualTo(Map.of("rc_mode", "CQP", "global_quality", "30"));
    VideoSettings limited = settings(EncoderKind.VAAPI_H264, NODE, 8, 500_000);
    assertThat(EncoderKind.VAAPI_H264.options(limited))
        .isEqualTo(Map.of("rc_mode", "VBR", "qmin", "30"));
    assertThat(EncoderKind.VAAPI_H264.takesQuality(limited)).isFalse();
  }

  @Test
  void gpusAreGivenPicturesAsSurfacesHoldThem() {
    assertThat(settings(EncoderKind.VAAPI_AV1, NODE, 8, 0).pixelFormat()).isEqualTo("nv12");
    assertThat(settings(EncoderKind.VAAPI_AV1, NODE, 10, 0).pixelFormat()).isEqualTo("p010le");
    assertThat(settings(EncoderKind.NVENC_AV1, "0", 8, 0).pixelFormat()).isEqualTo("nv12");
    assertThat(settings(EncoderKind.SVT_AV1, "", 10, 0).pixelFormat()).isEqualTo("yuv420p10le");
  }

  @ParameterizedTest
  @EnumSource
  void everyEncoderTakesThePicturesThatItIsGiven(EncoderKind kind) {
    AVCodec codec = avcodec.avcodec_find_encoder_by_name(kind.encoder());
    int depths = kind.codec().equals("h264") ? 1 : 2;
    for (int i = 0; i < depths; i++) {
      int depth = i == 0 ? 8 : 10;
      String format = settings(kind, "0", depth, 0).pixelFormat();
      // VAAPI's encoders take surfaces, whatever these hold.
      assertThat(formats(codec)).contains(kind.isVaapi() ? "vaapi" : format);
    }
  }

  @SuppressWarnings("deprecation") // the way that replaces it needs an encoder that is open
  private static List<String> formats(AVCodec codec) {
    List<String> names = new ArrayList<>();
    for (int i = 0; codec.pix_fmts().get(i) != avutil.AV_PIX_FMT_NONE; i++) {
      names.add(avutil.av_get_pix_fmt_name(codec.pix_fmts().get(i)).getString());
    }
    return names;
  }

  @Test
  void aRenderNodeThatIsNotThereIsNamedHoweverOftenItIsTried() {
    VideoSettings settings = settings(EncoderKind.VAAPI_AV1, NODE, 8, 0);
    try (Filter source = Filter.source("testsrc2=s=64x64:r=25,format=yuv420p", true);
        Chunk chunk = Chunk.of(0, List.of(Objects.requireNonNull(source.pull())), 1)) {
      for (int i = 0; i < 50; i++) {
        assertThatThrownBy(() -> ChunkEncoder.encode(chunk, settings, () -> false))
            .isInstanceOf(AvException.class)
            .hasMessageContaining("opening vaapi " + NODE);
      }
    }
  }
}
