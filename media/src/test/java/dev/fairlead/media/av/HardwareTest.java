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

  @Test
  void whatFfmpegSaysOfADriverIsInTheMessage() {
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> Hardware.open("cuda", "99"))
          .isInstanceOf(AvException.class)
          .hasMessageMatching("opening cuda 99: .* \\(.*CUDA: .*\\)");
    }
    assertThatThrownBy(() -> Hardware.open("vaapi", NOWHERE))
        .as("what was said of another device is forgotten")
        .isInstanceOf(AvException.class)
        .message()
        .doesNotContain("CUDA");
  }

  @Test
  void aLineOfTheLogHasNoAddressesAndNothingThatATerminalObeys() {
    assertThat(ErrorLog.plain("[av1_nvenc @ 0x7f57343e6670] Cannot load libcuda.so.1\n"))
        .isEqualTo("av1_nvenc: Cannot load libcuda.so.1");
    assertThat(ErrorLog.plain("red \u001b[31m and\r\nmore")).isEqualTo("red [31m and more");
    assertThat(ErrorLog.plain("x".repeat(1000))).hasSize(201);
    assertThat(ErrorLog.plain("\n")).isEmpty();
  }

  private static String decoder(int codec, String api) {
    return Hardware.decoder(codec, api).name().getString();
  }
}
