package dev.fairlead.media.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.av.Picture;
import dev.fairlead.media.settings.HardwareAddress;
import dev.fairlead.media.settings.ScalingTarget;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.bytedeco.ffmpeg.global.avutil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a card scales, and in how many steps. */
class CardScalingTest {
  private static final Pattern SIZE = Pattern.compile("w=(\\d+:h=\\d+)");

  private static CardScaling scaling(int width, int height, int depth, boolean tonemap) {
    return scaling(new HardwareAddress("cuda", "0"), width, height, depth, tonemap);
  }

  private static CardScaling scaling(
      HardwareAddress card, int width, int height, int depth, boolean tonemap) {
    return new CardScaling(
        card, new ScalingTarget(width, height, depth, tonemap), depth > 8 ? "p010le" : "nv12");
  }

  private static List<String> steps(int width, int height, CardScaling scaling) {
    return SIZE.matcher(scaling.chain(width, height))
        .results()
        .map((MatchResult found) -> found.group(1).replace(":h=", "x"))
        .toList();
  }

  @Test
  void whatBecomesMoreThanThreeTimesSmallerIsHalvedBefore() {
    assertThat(steps(1920, 1080, scaling(1920, 1080, 8, false))).containsExactly("1920x1080");
    assertThat(steps(1280, 720, scaling(1920, 1080, 8, false))).containsExactly("1920x1080");
    assertThat(steps(1920, 1080, scaling(640, 360, 8, false))).containsExactly("640x360");
    assertThat(steps(1920, 1080, scaling(426, 240, 8, false)))
        .containsExactly("960x540", "426x240");
    assertThat(steps(3840, 2160, scaling(320, 180, 8, false)))
        .containsExactly("1920x1080", "960x540", "320x180");
    assertThat(steps(1918, 90, scaling(160, 90, 8, false)))
        .as("by the side that shrinks more, and even")
        .containsExactly("960x90", "480x90", "160x90");
  }

  /** The simplest drivers mix two samples each way: a step of more would leave some out. */
  @Test
  void whatBecomesMoreThanTwiceSmallerThroughVaapiIsHalvedBefore() {
    HardwareAddress card = new HardwareAddress("vaapi", "/dev/dri/renderD128");

    assertThat(steps(1920, 1080, scaling(card, 960, 540, 8, false))).containsExactly("960x540");
    assertThat(steps(1920, 1080, scaling(card, 640, 360, 8, false)))
        .containsExactly("960x540", "640x360");
    assertThat(scaling(card, 960, 540, 10, false).chain(1920, 1080))
        .isEqualTo("scale_vaapi=w=960:h=540:format=p010le:mode=hq,setsar=1");
  }

  @ParameterizedTest
  @CsvSource({
    "yuv420p,8,true",
    "nv12,8,true",
    "yuv422p,8,false",
    "rgb24,8,false",
    "yuv420p10le,8,false",
    "yuv420p10le,10,true",
    "p010le,10,true",
    "yuv420p,10,false"
  })
  void aCardChangesNeitherDepthNorColours(String format, int depth, boolean taken) {
    CardScaling scaling = scaling(64, 48, depth, false);

    assertThat(scaling.takes(shape(format, avutil.AVCOL_RANGE_MPEG))).isEqualTo(taken);
    assertThat(scaling.takes(shape(format, avutil.AVCOL_RANGE_JPEG))).isFalse();
    assertThat(scaling(64, 48, depth, true).takes(shape(format, avutil.AVCOL_RANGE_MPEG)))
        .isFalse();
  }

  /** FFmpeg copies one row of chroma too few of them. */
  @Test
  void picturesOfAnOddHeightAreTheProcessorsWork() {
    int format = avutil.av_get_pix_fmt("yuv420p");
    for (int height : new int[] {95, 96}) {
      Picture.Shape shape =
          new Picture.Shape(127, height, format, avutil.AVCOL_SPC_BT709, avutil.AVCOL_RANGE_MPEG);
      assertThat(scaling(64, 48, 8, false).takes(shape)).isEqualTo(height == 96);
    }
  }

  private static Picture.Shape shape(String format, int range) {
    return new Picture.Shape(128, 96, avutil.av_get_pix_fmt(format), avutil.AVCOL_SPC_BT709, range);
  }
}
