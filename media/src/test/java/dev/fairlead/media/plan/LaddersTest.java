package dev.fairlead.media.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.fairlead.media.source.Rational;
import dev.fairlead.media.source.Turn;
import dev.fairlead.media.source.VideoTrack;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LaddersTest {
  @ParameterizedTest
  @CsvSource({
    "1920, 1080, 1/1, NONE, 1920x1080 1280x720 854x480 640x360 426x240",
    "1280, 720, 1/1, NONE, 1280x720 854x480 640x360 426x240",
    "854, 480, 1/1, NONE, 854x480 640x360 428x240",
    "1920, 1080, 1/1, CLOCKWISE, 1080x1920 720x1280 480x854 360x640 240x426",
    "1920, 1080, 1/1, COUNTERCLOCKWISE, 1080x1920 720x1280 480x854 360x640 240x426",
    "1920, 1080, 1/1, AROUND, 1920x1080 1280x720 854x480 640x360 426x240",
    "640, 480, 1/1, NONE, 640x480 480x360 320x240",
    "720, 576, 16/15, NONE, 768x576 640x480 480x360 320x240",
    "720, 576, 64/45, NONE, 1024x576 854x480 640x360 426x240",
    "1440, 1080, 4/3, NONE, 1920x1080 1280x720 854x480 640x360 426x240",
    "16, 16, 1/1, NONE, 16x16",
    "17, 31, 1/1, NONE, 16x30",
    "8, 8, 1/1, NONE, 16x16",
    "160, 120, 1/1, NONE, 160x120",
    "853, 481, 1/1, NONE, 852x480 640x360 426x240",
    "1920, 1072, 1/1, NONE, 1920x1072 1290x720 860x480 644x360 430x240",
    "1920, 800, 1/1, NONE, 1920x800 1152x480 864x360 576x240",
    "7680, 4320, 1/1, NONE, 3840x2160 2560x1440 1920x1080 1280x720 854x480 640x360 426x240",
  })
  void hasTheShapeOfTheSource(int width, int height, String aspect, Turn turn, String sizes) {
    int slash = aspect.indexOf('/');
    Rational pixels =
        new Rational(
            Integer.parseInt(aspect.substring(0, slash)),
            Integer.parseInt(aspect.substring(slash + 1)));

    assertThat(sizes(ladder(TestingSources.sized(width, height, pixels, turn), "auto")))
        .isEqualTo(sizes);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1920|1080|1080p,720p,360p|1920x1080 1280x720 640x360",
        "1920|1080|360p,1080p|640x360 1920x1080",
        "1920|1080|1280x720,640x360|1280x720 640x360",
        "1080|1920|1280x720|720x1280",
        "640|480|1280x720,320x200|266x200",
        "1440|1080|1280x720|960x720",
        "854|480|1080p,720p|854x480",
        "854|480|1080p,480p,360p|854x480 640x360",
        "1920|1072|1080p,720p|1920x1072 1290x720",
        "1280|720|720p,1280x720,720p|1280x720",
        "1280|720|481p|854x480",
      })
  void makesWhatIsAskedForUnlessItIsLarger(int width, int height, String asked, String sizes) {
    assertThat(sizes(ladder(TestingSources.sized(width, height), asked))).isEqualTo(sizes);
  }

  @Test
  void saysWhatWasNotDoneAsAsked() {
    VideoTrack source = TestingSources.sized(854, 480);

    assertThat(ladder(source, "1080p,480p").notes())
        .containsExactly("Rung 1080p is left out: the source is only 854x480");
    assertThat(ladder(source, "1080p").notes()).hasSize(2).last().asString().contains("854x480");
    assertThat(ladder(source, "480p,854x480").notes())
        .containsExactly("Rung 854x480 is asked for twice; it is made once");
    assertThat(ladder(source, "320x320").notes())
        .containsExactly("Rung 320x320 becomes 320x180, to keep the source's shape");
    assertThat(ladder(source, "480p,360p").notes()).isEmpty();
  }

  @Test
  void keepsTwoQualitiesOfOneSize() {
    assertThat(ladder(TestingSources.sized(1280, 720), "720p@crf30,720p@crf40").rungs())
        .extracting(Rung::name, Rung::crf)
        .containsExactly(tuple("720p", 30), tuple("720p-2", 40));
  }

  @Test
  void takesQualityFromTheRungThenTheRequestThenTheCodec() {
    VideoTrack source = TestingSources.sized(1280, 720);
    EncodingChoice choice =
        new EncodingChoice(
            VideoCodec.H264,
            OptionalInt.empty(),
            OptionalInt.of(20),
            MaxRates.parse("3M,360p=800k,144p=1M"),
            EncodingChoice.Mix.COMPATIBLE);
    LadderSpec spec = LadderSpec.parse("720p@crf18@maxrate5M,480p,360p");

    Ladders.Ladder ladder = Ladders.of(source, spec, choice);

    assertThat(ladder.rungs()).extracting(Rung::crf).containsExactly(18, 20, 20);
    assertThat(ladder.rungs())
        .extracting(Rung::maxrateBits)
        .containsExactly(
            OptionalLong.of(5_000_000), OptionalLong.of(3_000_000), OptionalLong.of(800_000));
    assertThat(ladder.notes())
        .containsExactly("The maxrate of 144p is not used: the rungs are 720p, 480p, 360p");
    assertThat(ladder(source, "720p,240p").rungs()).extracting(Rung::crf).containsExactly(35, 38);
    assertThatExceptionOfType(PlanException.class)
        .isThrownBy(() -> Ladders.of(source, LadderSpec.parse("720p@crf60"), choice))
        .withMessage("Rung 720p asks for crf 60; H264 has 0 to 51");
  }

  @Test
  void isEvenNeverLargerAndOfTheSameShape() {
    TestingSources.check(random -> {
      VideoTrack source = TestingSources.sized(random);
      String asked =
          List.of("auto", "1080p,720p,360p", "1000x1000,333x444,16p").get(random.nextInt(3));
      List<Rung> rungs = ladder(source, asked).rungs();
      assertThat(rungs).isNotEmpty();
      Set<String> names = rungs.stream().map(Rung::name).collect(Collectors.toSet());
      assertThat(names).hasSameSizeAs(rungs);
      for (Rung rung : rungs) {
        assertThat(rung.width() % 2 + rung.height() % 2).isZero();
        checkSide(rung.width(), source.displayWidth());
        checkSide(rung.height(), source.displayHeight());
        checkShape(rung, source.displayWidth(), source.displayHeight());
      }
    });
  }

  private static void checkSide(int side, int ofSource) {
    assertThat(side).isBetween(16, Math.max(16, ofSource));
  }

  /** Both sides may be off by two: one pixel by rounding, one by the source's own odd size. */
  private static void checkShape(Rung rung, int width, int height) {
    if (Math.min(rung.width(), rung.height()) > 16 && Math.max(width, height) <= 16_384) {
      double exactHeight = (double) rung.width() * height / width;
      double exactWidth = (double) rung.height() * width / height;
      assertThat(
              Math.min(Math.abs(exactHeight - rung.height()), Math.abs(exactWidth - rung.width())))
          .as("%s of %dx%d", rung, width, height)
          .isLessThanOrEqualTo(2.0);
    }
  }

  private static Ladders.Ladder ladder(VideoTrack source, String asked) {
    return Ladders.of(source, LadderSpec.parse(asked), TestingSources.REQUEST.encoding());
  }

  private static String sizes(Ladders.Ladder ladder) {
    return ladder.rungs().stream()
        .map(rung -> rung.width() + "x" + rung.height())
        .collect(Collectors.joining(" "));
  }
}
