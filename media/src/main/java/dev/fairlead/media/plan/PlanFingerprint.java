package dev.fairlead.media.plan;

import dev.fairlead.media.source.AudioTrack;
import dev.fairlead.media.source.MediaInfo;
import dev.fairlead.media.source.VideoTrack;

/**
 * What of a plan decides the output. Not where source and output lie, nor memory and devices, nor
 * estimates such as how long the source lasts.
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
                "stream %d, %s, %dx%d, pixels %s, turn %s, %d bits, %s, %s"
                    .formatted(
                        video.stream(),
                        video.codec(),
                        video.width(),
                        video.height(),
                        video.pixelAspect(),
                        video.turn().name(),
                        video.depth(),
                        video.colour(),
                        video.interlaced() ? "interlaced" : "progressive"))
            .with(
                "source times",
                "ticks of %s s from %d, %s frames a second"
                    .formatted(video.timeBase(), video.start(), video.frameRate()));
    for (AudioTrack track : source.audio()) {
      all = all.with("source audio " + track.stream(), track);
    }
    return all;
  }

  private static Fingerprint encoded(TranscodePlan plan, Fingerprint facts) {
    TranscodeRequest request = plan.request();
    Fingerprint all =
        facts
            .with("format", request.format())
            .with("excerpt", text(request.excerpt()))
            .with(
                "chunks",
                "%d/%d ticks from %d"
                    .formatted(
                        plan.grid().lengthNum(), plan.grid().lengthDen(), plan.grid().start()))
            .with("chunks in a segment", plan.grid().chunksPerSegment())
            .with("timescale", plan.timescale())
            .with("video", plan.video())
            .with("mix", request.encoding().mix())
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
                      audio.track().stream(), audio.action(), audio.channels(), audio.bitRate()));
    }
    for (SubtitlePlan subtitles : plan.subtitles()) {
      all = all.with(subtitles.name(), subtitles.track());
    }
    return all;
  }

  private static String text(Excerpt excerpt) {
    return "from %s s to %s"
        .formatted(
            Excerpt.text(excerpt.start()),
            excerpt.end().map(end -> Excerpt.text(end) + " s").orElse("the end"));
  }
}
