package dev.fairlead.media.av;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.bytedeco.ffmpeg.global.avcodec;
import org.junit.jupiter.api.Test;

/** What can be known of hardware where there is none. */
class HardwareTest {
  private static final String NOWHERE = "/dev/dri/renderD199";

  @Test
  void findsTheDecoderThatWorksOnADeviceEvenIfItIsNotTheUsualOne() {
    assertThat(decoder(avcodec.AV_CODEC_ID_H264, "cuda")).isEqualTo("h264");
    assertThat(decoder(avcodec.AV_CODEC_ID_HEVC, "vaapi")).isEqualTo("hevc");
    assertThat(decoder(avcodec.AV_CODEC_ID_AV1, "cuda")).isEqualTo("av1");
    assertThat(decoder(avcodec.AV_CODEC_ID_AV1, "vaapi")).isEqualTo("av1");
    assertThatThrownBy(() -> decoder(avcodec.AV_CODEC_ID_FFV1, "vaapi"))
        .isInstanceOf(AvException.class)
        .hasMessage("There is no decoder for ffv1 on vaapi");
  }

  @Test
  void aDeviceThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> Hardware.open("vaapi", NOWHERE))
        .isInstanceOf(AvException.class)
        .hasMessageContaining("opening vaapi " + NOWHERE);
    assertThatThrownBy(() -> Hardware.open("abacus", "0"))
        .isInstanceOf(AvException.class)
        .hasMessage("This FFmpeg knows no abacus");
  }

  private static String decoder(int codec, String api) {
    return Hardware.decoder(codec, api).name().getString();
  }
}
