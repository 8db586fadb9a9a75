package dev.fairlead.media.json;

import dev.fairlead.media.plan.AudioMode;
import dev.fairlead.media.plan.EncodingChoice;
import dev.fairlead.media.plan.Excerpt;
import dev.fairlead.media.plan.LadderSpec;
import dev.fairlead.media.plan.MaxRates;
import dev.fairlead.media.plan.OutputFormat;
import dev.fairlead.media.plan.PictureChoice;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.plan.VideoCodec;
import dev.fairlead.media.plan.WrittenAmount;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What is to be made of a source, as people write it on a command line or in JSON. What is left out
 * is as usual.
 *
 * @param ladder {@code auto}, {@code 1080p,720p} or {@code 1280x720@crf30}
 * @param maxrate {@code 6M}, or {@code 1080p=6M,360p=800k}
 * @param segment seconds, or a time such as {@code 0:04}
 * @param maxFps {@code 30}, {@code 23.976}, {@code 30000/1001}
 * @param start {@code 90.5} or {@code 1:30.5}
 */
public record RequestOptions(
    Optional<OutputFormat> format,
    Optional<String> ladder,
    Optional<VideoCodec> codec,
    Optional<Integer> preset,
    Optional<Integer> crf,
    Optional<String> maxrate,
    Optional<String> segment,
    Optional<AudioMode> audio,
    Optional<String> maxFps,
    Optional<String> start,
    Optional<String> end,
    Optional<PictureChoice.Deinterlace> deinterlace,
    Optional<PictureChoice.Hdr> hdr,
    Optional<EncodingChoice.Mix> mix) {

  /**
   * The request for one source and one output.
   *
   * @throws IllegalArgumentException if something makes no sense
   * @throws dev.fairlead.media.plan.PlanException if something is out of range
   */
  public TranscodeRequest request(Path input, Path output) {
    TranscodeRequest usual = TranscodeRequest.of(input, output);
    return usual
        .withFormat(format.orElse(usual.format()))
        .withLadder(ladder.map(LadderSpec::parse).orElse(usual.ladder()))
        .withEncoding(
            new EncodingChoice(
                codec.orElse(usual.encoding().codec()),
                optional(preset),
                optional(crf),
                maxrate.map(MaxRates::parse).orElse(MaxRates.none()),
                mix.orElse(usual.encoding().mix())))
        .withPicture(
            new PictureChoice(
                maxFps.map(WrittenAmount::rate),
                deinterlace.orElse(usual.picture().deinterlace()),
                hdr.orElse(usual.picture().hdr())))
        .withAudio(audio.orElse(usual.audio()))
        .withSegment(segment.map(WrittenAmount::time).orElse(usual.segment()))
        .withExcerpt(
            new Excerpt(
                start.map(WrittenAmount::time).orElse(Duration.ZERO),
                end.map(WrittenAmount::time)));
  }

  private static OptionalInt optional(Optional<Integer> value) {
    return value.map(OptionalInt::of).orElse(OptionalInt.empty());
  }
}
