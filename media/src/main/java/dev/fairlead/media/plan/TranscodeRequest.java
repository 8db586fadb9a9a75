package dev.fairlead.media.plan;

import dev.fairlead.media.source.Rational;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What somebody wants to be made of a source.
 *
 * @param output the directory that is written
 * @param segment about how long a segment of a playlist lasts
 * @param memoryBytes how much may be in flight; what the machine has if empty
 * @param restart whether what an earlier run left in the output is thrown away
 */
public record TranscodeRequest(
    Path input,
    Path output,
    OutputFormat format,
    LadderSpec ladder,
    EncodingChoice encoding,
    PictureChoice picture,
    AudioMode audio,
    Duration segment,
    Excerpt excerpt,
    OptionalLong memoryBytes,
    boolean restart) {
  private static final Duration USUAL_SEGMENT = Duration.ofSeconds(4);
  private static final Duration LONGEST_SEGMENT = Duration.ofHours(1);

  public TranscodeRequest {
    if (segment.compareTo(Duration.ZERO) <= 0 || segment.compareTo(LONGEST_SEGMENT) > 0) {
      throw new IllegalArgumentException(
          "A segment of %s s is asked for; it can be above 0 and at most %d s"
              .formatted(Excerpt.text(segment), LONGEST_SEGMENT.toSeconds()));
    }
    if (memoryBytes.isPresent() && memoryBytes.getAsLong() <= 0) {
      throw new IllegalArgumentException("memoryBytes is not positive: " + memoryBytes.getAsLong());
    }
  }

  /** An AV1 ladder as HLS, all else as usual. */
  public static TranscodeRequest of(Path input, Path output) {
    return new TranscodeRequest(
        input,
        output,
        OutputFormat.HLS,
        LadderSpec.auto(),
        EncodingChoice.usual(),
        PictureChoice.usual(),
        AudioMode.AUTO,
        USUAL_SEGMENT,
        Excerpt.whole(),
        OptionalLong.empty(),
        false);
  }

  public TranscodeRequest withFormat(OutputFormat format) {
    return new TranscodeRequest(
        input,
        output,
        format,
        ladder,
        encoding,
        picture,
        audio,
        segment,
        excerpt,
        memoryBytes,
        restart);
  }

  public TranscodeRequest withLadder(LadderSpec ladder) {
    return new TranscodeRequest(
        input,
        output,
        format,
        ladder,
        encoding,
        picture,
        audio,
        segment,
        excerpt,
        memoryBytes,
        restart);
  }

  public TranscodeRequest withEncoding(EncodingChoice encoding) {
    return new TranscodeRequest(
        input,
        output,
        format,
        ladder,
        encoding,
        picture,
        audio,
        segment,
        excerpt,
        memoryBytes,
        restart);
  }

  public TranscodeRequest withPicture(PictureChoice picture) {
    return new TranscodeRequest(
        input,
        output,
        format,
        ladder,
        encoding,
        picture,
        audio,
        segment,
        excerpt,
        memoryBytes,
        restart);
  }

  public TranscodeRequest withAudio(AudioMode audio) {
    return new TranscodeRequest(
        input,
        output,
        format,
        ladder,
        encoding,
        picture,
        audio,
        segment,
        excerpt,
        memoryBytes,
        restart);
  }

  public TranscodeRequest withSegment(Duration segment) {
    return new TranscodeRequest(
        input,
        output,
        format,
        ladder,
        encoding,
        picture,
        audio,
        segment,
        excerpt,
        memoryBytes,
        restart);
  }

  public TranscodeRequest withExcerpt(Excerpt excerpt) {
    return new TranscodeRequest(
        input,
        output,
        format,
        ladder,
        encoding,
        picture,
        audio,
        segment,
        excerpt,
        memoryBytes,
        restart);
  }

  public TranscodeRequest withMemoryBytes(long bytes) {
    return new TranscodeRequest(
        input,
        output,
        format,
        ladder,
        encoding,
        picture,
        audio,
        segment,
        excerpt,
        OptionalLong.of(bytes),
        restart);
  }

  public TranscodeRequest withRestart(boolean restart) {
    return new TranscodeRequest(
        input,
        output,
        format,
        ladder,
        encoding,
        picture,
        audio,
        segment,
        excerpt,
        memoryBytes,
        restart);
  }

  public TranscodeRequest withCodec(VideoCodec codec) {
    return withEncoding(
        new EncodingChoice(
            codec, encoding.preset(), encoding.crf(), encoding.maxRates(), encoding.mix()));
  }

  public TranscodeRequest withPreset(int preset) {
    return withEncoding(
        new EncodingChoice(
            encoding.codec(),
            OptionalInt.of(preset),
            encoding.crf(),
            encoding.maxRates(),
            encoding.mix()));
  }

  public TranscodeRequest withCrf(int crf) {
    return withEncoding(
        new EncodingChoice(
            encoding.codec(),
            encoding.preset(),
            OptionalInt.of(crf),
            encoding.maxRates(),
            encoding.mix()));
  }

  public TranscodeRequest withMaxFps(Rational maxFps) {
    return withPicture(
        new PictureChoice(Optional.of(maxFps), picture.deinterlace(), picture.hdr()));
  }

  public TranscodeRequest withStart(Duration start) {
    return withExcerpt(new Excerpt(start, excerpt.end()));
  }

  public TranscodeRequest withEnd(Duration end) {
    return withExcerpt(new Excerpt(excerpt.start(), Optional.of(end)));
  }
}
