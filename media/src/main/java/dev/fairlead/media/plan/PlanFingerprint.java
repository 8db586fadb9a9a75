package dev.fairlead.media.plan;

import dev.fairlead.media.source.AudioTrack;
import dev.fairlead.media.source.Colour;
import dev.fairlead.media.source.Mastering;
import dev.fairlead.media.source.MediaInfo;
import dev.fairlead.media.source.SubtitleTrack;
import dev.fairlead.media.source.Turn;
import dev.fairlead.media.source.VideoTrack;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What of a plan decides the output, in words that a user can read where two differ. Not where
 * source and output lie, nor memory and devices, nor estimates such as how long the source lasts.
 */
final class PlanFingerprint {
  private PlanFingerprint() {}

  static Fingerprint of(TranscodePlan plan) {
    return encoded(plan, streams(plan.source(), Fingerprint.empty()));
  }

  private static Fingerprint streams(MediaInfo source, Fingerprint facts) {
    VideoTrack video = source.video();
    Fingerprint all =
        facts
            .with("source", source.bytes() + " bytes of " + source.format())
            .with(
                "source video",
                "stream %d, %s, %dx%d, pixels %s, %s, %d bits, %s, %s"
                    .formatted(
                        video.stream(),
                        video.codec(),
                        video.width(),
                        video.height(),
                        video.pixelAspect(),
                        video.turn() == Turn.NONE ? "not turned" : video.turn(),
                        video.depth(),
                        text(video.colour()),
                        video.interlaced() ? "interlaced" : "progressive"))
            .with(
                "source times",
                "ticks of %s s from %d, %s frames a second"
                    .formatted(video.timeBase(), video.start(), video.frameRate()));
    for (AudioTrack track : source.audio()) {
      all = all.with("source audio " + track.stream(), text(track));
    }
    return all;
  }

  private static Fingerprint encoded(TranscodePlan plan, Fingerprint facts) {
    TranscodeRequest request = plan.request();
    Fingerprint all =
        facts
            .with("format", word(request.format()))
            .with("excerpt", text(request.excerpt()))
            .with(
                "chunks",
                "%d/%d ticks from %d"
                    .formatted(
                        plan.grid().lengthNum(), plan.grid().lengthDen(), plan.grid().start()))
            .with("chunks in a segment", plan.grid().chunksPerSegment())
            .with("timescale", plan.timescale())
            .with("video", text(plan.video()))
            .with("mix", word(request.encoding().mix()))
            .with("largest frame rate", request.picture().maxFps().map(Object::toString).orElse(""))
            .with("rungs", String.join(" ", plan.rungs().stream().map(Rung::name).toList()));
    for (Rung rung : plan.rungs()) {
      all = all.with("rung " + rung.name(), rung);
    }
    for (AudioPlan audio : plan.audio()) {
      all =
          all.with(
              audio.name(),
              "stream %d, %s, %d channels, %d bits a second"
                  .formatted(
                      audio.track().stream(),
                      word(audio.action()),
                      audio.channels(),
                      audio.bitRate()));
    }
    for (SubtitlePlan subtitles : plan.subtitles()) {
      all = all.with(subtitles.name(), text(subtitles.track()));
    }
    return all;
  }

  private static String text(VideoPlan video) {
    return listed(
        video.codec().toString(),
        "preset " + video.preset(),
        video.depth() + " bits",
        text(video.colour()),
        video.deinterlace() ? "deinterlaced" : "",
        video.tonemap() ? "brought down to the standard range" : "",
        text(video.mastering()));
  }

  private static String text(Colour colour) {
    return "colours %d/%d/%d in %s range"
        .formatted(
            colour.primaries(),
            colour.transfer(),
            colour.matrix(),
            colour.fullRange() ? "full" : "limited");
  }

  private static String text(Mastering mastering) {
    return listed(
        mastering.display().isEmpty() ? "" : "mastered on " + mastering.display(),
        mastering.light().isEmpty() ? "" : "light levels " + mastering.light());
  }

  private static String text(AudioTrack track) {
    return listed(
        track.codec(),
        "%d channels (%s)".formatted(track.channels(), track.layout()),
        track.sampleRate() + " Hz",
        "ticks of %s s from %d".formatted(track.timeBase(), track.start()),
        named(track.language(), track.title()),
        track.preferred() ? "preferred" : "");
  }

  private static String text(SubtitleTrack track) {
    return listed(
        "stream " + track.stream(),
        track.codec(),
        track.text() ? "text" : "pictures",
        named(track.language(), track.title()),
        track.preferred() ? "preferred" : "",
        track.forced() ? "forced" : "");
  }

  private static String named(String language, String title) {
    return listed(
        language.isEmpty() ? "" : "language " + language, title.isEmpty() ? "" : "title " + title);
  }

  private static String listed(String... parts) {
    return Stream.of(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining(", "));
  }

  private static String word(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT);
  }

  private static String text(Excerpt excerpt) {
    return "from %s s to %s"
        .formatted(
            Excerpt.text(excerpt.start()),
            excerpt.end().map(end -> Excerpt.text(end) + " s").orElse("the end"));
  }
}
