package dev.fairlead.media.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.av.Filter;
import dev.fairlead.media.av.Picture;
import dev.fairlead.media.settings.ScalingTarget;
import dev.fairlead.media.source.Rational;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.bytedeco.ffmpeg.global.avutil;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pictures come out as an encoder wants them, at their time. */
class ScalingTest {
  @ParameterizedTest
  @CsvSource({"8, yuv420p", "8, nv12", "10, yuv420p10le", "10, p010le"})
  void givesTheFormatThatIsAskedForAtTheSameSizeToo(int depth, String format) {
    ScalingTarget target = new ScalingTarget(64, 48, depth, false);
    List<String> seen = new ArrayList<>();
    try (Filter source = Filter.source("testsrc2=s=64x48:r=25,format=yuv420p", true);
        Picture first = Objects.requireNonNull(source.pull());
        Picture picture = first.at(7);
        Scaling scaling = new Scaling(target, new Rational(1, 25), format)) {
      scaling.scale(picture, scaled -> seen.add(seen(scaled)));
      scaling.finish(scaled -> seen.add(seen(scaled)));
    }
    assertThat(seen).containsExactly("64x48 %s at 7".formatted(format));
  }

  private static String seen(Picture picture) {
    try (picture) {
      return "%dx%d %s at %d"
          .formatted(
              picture.width(),
              picture.height(),
              avutil.av_get_pix_fmt_name(picture.frame().format()).getString(),
              picture.pts());
    }
  }
}
