package dev.fairlead.media.plan;

import static dev.fairlead.media.plan.TestingSources.REQUEST;
import static dev.fairlead.media.plan.TestingSources.audio;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fairlead.media.source.AudioTrack;
import dev.fairlead.media.source.Colour;
import dev.fairlead.media.source.Mastering;
import dev.fairlead.media.source.MediaInfo;
import dev.fairlead.media.source.Rational;
import dev.fairlead.media.source.SubtitleTrack;
import dev.fairlead.media.source.Turn;
import dev.fairlead.media.source.VideoTrack;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TranscodePlanTest {
  private static final MediaInfo HD = TestingSources.with(TestingSources.sized(1920, 1080));

  @Test
  void soundWithoutARateIsLeftOutWithANote() {
    AudioTrack unknown =
        new AudioTrack(1, "ac4", 0, "", 0, new Rational(1, 1_000), -500, "", "", false);
    MediaInfo source = TestingSources.with(List.of(unknown, audio(2, "aac", 2)), List.of());
    TranscodePlan plan = TranscodePlan.of(source, REQUEST);
    assertThat(plan.audio()).extracting(AudioPlan::name).containsExactly("audio-1");
    assertThat(plan.notes()).anyMatch(note -> note.contains("ac4") && note.contains("left out"));
    assertThat(plan.grid().start()).isEqualTo(source.video().start());
  }

  @Test
  void copiesAacAndOpusAndEncodesTheRestAsOpus() {
    MediaInfo source =
        TestingSources.with(
            List.of(audio(1, "aac", 2), audio(2, "ac3", 6), audio(3, "mp3", 1)), List.of());

    assertThat(TranscodePlan.of(source, REQUEST).audio())
        .extracting(AudioPlan::toString)
        .satisfiesExactly(
            one -> assertThat(one).contains("audio-1", "COPY", "channels=2", "bitRate=0"),
            two -> assertThat(two).contains("audio-2", "OPUS", "channels=6", "bitRate=320000"),
            three -> assertThat(three).contains("audio-3", "OPUS", "channels=1", "bitRate=64000"));
    assertThat(TranscodePlan.of(source, REQUEST.withAudio(AudioMode.AAC)).audio())
        .extracting(AudioPlan::action)
        .containsOnly(AudioPlan.Action.AAC);
    assertThat(TranscodePlan.of(source, REQUEST.withAudio(AudioMode.NONE)).audio()).isEmpty();
    assertThat(TranscodePlan.of(source, REQUEST.withAudio(AudioMode.COPY)).notes())
        .hasSize(2)
        .first()
        .isEqualTo("Audio track audio-2 is ac3, which cannot be copied; it is encoded as Opus");
  }

  @Test
  void keepsSubtitlesOfTextAndSaysWhichItDoesNot() {
    SubtitleTrack text = new SubtitleTrack(3, "subrip", true, "eng", "", true);
    SubtitleTrack pictures = new SubtitleTrack(4, "dvd_subtitle", false, "eng", "", false);
    TranscodePlan plan =
        TranscodePlan.of(TestingSources.with(List.of(), List.of(pictures, text)), REQUEST);

    assertThat(plan.subtitles()).containsExactly(new SubtitlePlan("subtitles-1", text));
    assertThat(plan.notes()).singleElement().asString().contains("stream 4", "dvd_subtitle");
  }

  @Test
  void bringsHighDynamicRangeDownUnlessItIsToBeKept() {
    MediaInfo source = TestingSources.with(deep(new Colour(9, 16, 9, true)));
    PictureChoice keep =
        new PictureChoice(Optional.empty(), PictureChoice.Deinterlace.AUTO, PictureChoice.Hdr.KEEP);

    VideoPlan mapped = TranscodePlan.of(source, REQUEST).video();
    VideoPlan kept = TranscodePlan.of(source, REQUEST.withPicture(keep)).video();
    TranscodePlan h264 =
        TranscodePlan.of(source, REQUEST.withPicture(keep).withCodec(VideoCodec.H264));

    assertThat(mapped.colour().range()).isEqualTo("SDR");
    assertThat(mapped.depth()).isEqualTo(8);
    assertThat(mapped.tonemap()).isTrue();
    assertThat(kept.colour()).isEqualTo(new Colour(9, 16, 9, false));
    assertThat(kept.depth()).isEqualTo(10);
    assertThat(kept.tonemap()).isFalse();
    assertThat(h264.video().tonemap()).isTrue();
    assertThat(h264.notes()).hasSize(2).first().asString().contains("H.264");
    assertThat(TranscodePlan.of(TestingSources.with(deep(Colour.unspecified())), REQUEST).video())
        .extracting(VideoPlan::depth, VideoPlan::tonemap)
        .containsExactly(10, false);
  }

  @Test
  void refusesTimesThatTheSourceDoesNotHave() {
    assertThatExceptionOfType(PlanException.class)
        .isThrownBy(() -> REQUEST.withStart(Duration.ofSeconds(5)).withEnd(Duration.ofSeconds(5)))
        .withMessage("The end, 5 s, is not after the start, 5 s");
    assertThatExceptionOfType(PlanException.class)
        .isThrownBy(() -> TranscodePlan.of(HD, REQUEST.withStart(Duration.ofMinutes(1))))
        .withMessage(
            "The start, 60 s, is not before the end of in.mp4, at about 60.000 s;"
                + " choose an earlier one");
    assertThatExceptionOfType(PlanException.class)
        .isThrownBy(() -> REQUEST.withStart(Duration.ofMillis(-1500)))
        .withMessageContaining("-1.5 s");
    assertThatIllegalArgumentException().isThrownBy(() -> REQUEST.withSegment(Duration.ZERO));
    assertThatIllegalArgumentException().isThrownBy(() -> REQUEST.withPreset(14));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> REQUEST.withMaxFps(new Rational(0, 1)))
        .withMessageContaining("0/1");
  }

  @Test
  void expectsChunksAndFramesWhereTheSourceSaysHowLongItIs() {
    TranscodePlan plan = TranscodePlan.of(HD, REQUEST);
    TranscodePlan slow = TranscodePlan.of(HD, REQUEST.withMaxFps(new Rational(15, 1)));

    assertThat(plan.expectedChunks()).hasValue(30);
    assertThat(plan.expectedFrames()).hasValue(1_800);
    assertThat(slow.expectedFrames()).hasValue(900);
    assertThat(
            TranscodePlan.of(
                    HD, REQUEST.withStart(Duration.ofSeconds(10)).withEnd(Duration.ofSeconds(13)))
                .expectedFrames())
        .hasValue(90);
  }

  @Test
  void needsMemoryForAWholeChunkAndForEachLane() {
    TranscodePlan plan = TranscodePlan.of(HD, REQUEST);
    long frame = 1920L * 1080 * 3 / 2;

    Memory memory = plan.memory();
    assertThat(memory.chunk()).isBetween(60 * frame, 61 * frame);
    assertThat(memory.pump()).isGreaterThan(16 * frame);
    assertThat(memory.lane()).as("an encoder was seen to hold 350 MB").isGreaterThan(350_000_000);
    assertThat(memory.least(memory.lane()))
        .isEqualTo(memory.processes() + memory.pump() + memory.chunk() + memory.lane());
    assertThat(TranscodePlan.of(HD, REQUEST.withLadder(LadderSpec.parse("360p"))).memory().lane())
        .isLessThan(memory.lane() / 4);
    assertThat(TranscodePlan.of(HD, REQUEST.withPreset(4)).memory().lane())
        .as("slow presets keep more")
        .isGreaterThan(memory.lane() * 3 / 2);
    assertThat(TranscodePlan.of(HD, REQUEST.withMaxFps(new Rational(10, 1))).memory().chunk())
        .isEqualTo(memory.chunk() / 3);
    assertThat(TranscodePlan.of(HD, REQUEST.withEnd(Duration.ofSeconds(1))).memory().chunk())
        .as("there is no more")
        .isEqualTo(memory.chunk() / 2);
  }

  @Test
  void needsMemoryForPicturesAsTheyAreDecoded() {
    Memory usual = TranscodePlan.of(HD, REQUEST).memory();
    VideoTrack like = HD.video();
    VideoTrack full =
        new VideoTrack(
            0,
            "mjpeg",
            like.width(),
            like.height(),
            like.pixelAspect(),
            like.turn(),
            like.timeBase(),
            like.frameRate(),
            0,
            0,
            8,
            like.colour(),
            false,
            like.mastering(),
            24);
    Memory wide = TranscodePlan.of(TestingSources.with(full), REQUEST).memory();
    assertThat(wide.chunk()).as("4:4:4").isEqualTo(2 * usual.chunk());
    assertThat(wide.pump()).as("no references").isLessThan(usual.pump());
    Memory deep =
        TranscodePlan.of(TestingSources.with(deep(Colour.unspecified())), REQUEST).memory();
    assertThat(deep.chunk()).as("two bytes a sample").isEqualTo(2 * usual.chunk());
  }

  @Test
  void sharesItsFingerprintWithPlansThatMakeTheSame() {
    Fingerprint plan = TranscodePlan.of(HD, REQUEST).fingerprint();

    assertThat(Fingerprint.parse(plan.text())).isEqualTo(plan);
    assertThat(
            TranscodePlan.of(HD, REQUEST.withMemoryBytes(1 << 30).withRestart(true)).fingerprint())
        .isEqualTo(plan);
    assertThat(
            TranscodePlan.of(HD, REQUEST.withLadder(LadderSpec.parse("1080p,720p,480p,360p,240p")))
                .fingerprint())
        .isEqualTo(plan);
  }

  @Test
  void saysWhichFactsDiffer() {
    Fingerprint plan = TranscodePlan.of(HD, REQUEST).fingerprint();

    assertThat(plan.differences(TranscodePlan.of(HD, REQUEST.withPreset(4)).fingerprint()))
        .singleElement()
        .satisfies(difference -> assertThat(difference.fact()).isEqualTo("video"));
    assertThat(plan.with("FFmpeg", "8.0").differences(plan.with("FFmpeg", "8.1\nbeta")))
        .singleElement()
        .hasToString("FFmpeg was \"8.0\" and is now \"8.1 beta\"");
    assertThat(
            plan.differences(
                TranscodePlan.of(HD, REQUEST.withLadder(LadderSpec.parse("1080p"))).fingerprint()))
        .extracting(Fingerprint.Difference::fact)
        .contains("rungs", "rung 720p");
  }

  @Test
  void saysWhichChoicesHaveNoEffect() {
    assertThat(TranscodePlan.of(HD, REQUEST.withPreset(13)).notes())
        .contains(
            "Preset 13 is the same as 11 on lanes of the processor: SVT-AV1 has no faster one");
    assertThat(TranscodePlan.of(HD, REQUEST.withPreset(11)).notes())
        .isEqualTo(TranscodePlan.of(HD, REQUEST).notes());
    assertThat(TranscodePlan.of(HD, REQUEST.withCodec(VideoCodec.H264).withPreset(5)).notes())
        .contains("Preset 5 has no effect on lanes of the processor: OpenH264 has no presets");
    PictureChoice kept =
        new PictureChoice(
            Optional.of(new Rational(240, 1)),
            PictureChoice.Deinterlace.OFF,
            PictureChoice.Hdr.KEEP);
    assertThat(TranscodePlan.of(HD, REQUEST.withPicture(kept)).notes())
        .contains(
            "The source has no high dynamic range that could be kept",
            "The source is not interlaced: nothing would have been deinterlaced")
        .anyMatch(note -> note.endsWith("frames a second: none is dropped for at most 240.0"));
    assertThat(
            TranscodePlan.of(
                    HD, REQUEST.withFormat(OutputFormat.MP4).withSegment(Duration.ofSeconds(6)))
                .notes())
        .contains("MP4 files have no segments: their length has no effect");
  }

  @Test
  void itsFactsAreWordsAndNoRecords() {
    String facts = TranscodePlan.of(HD, REQUEST).fingerprint().text();

    assertThat(facts).doesNotContain("[", "=", "null");
    assertThat(facts).contains("video: AV1, preset 9, 8 bits, colours 1/1/1 in limited range\n");
  }

  @Test
  void theNameOfASourceIsKeptAndNotCompared() {
    Fingerprint plan = TranscodePlan.of(HD, REQUEST).fingerprint();

    assertThat(plan.named("bear.mp4")).isEqualTo(plan.named("moved.mp4")).isEqualTo(plan);
    assertThat(plan.named("bear.mp4")).hasSameHashCodeAs(plan);
    assertThat(Fingerprint.parse(plan.named("bear.mp4").text()).sourceName()).isEqualTo("bear.mp4");
  }

  private static VideoTrack deep(Colour colour) {
    return new VideoTrack(
        0,
        "hevc",
        1920,
        1080,
        TestingSources.SQUARE,
        Turn.NONE,
        TestingSources.MILLIS,
        TestingSources.FPS_30,
        0,
        0,
        10,
        colour,
        false,
        Mastering.none(),
        24);
  }
}
