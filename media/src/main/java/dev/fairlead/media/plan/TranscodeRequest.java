package dev.fairlead.media.plan;

import dev.fairlead.media.source.Rational;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What is to be made of a source.
 *
 * @param output the directory that is written
 * @param content what it shows, and how well
 * @param packaging in which files
 * @param running how the job goes about it
 */
public record TranscodeRequest(
    Path input, Path output, Content content, Packaging packaging, Running running) {
  /** What the output shows, and how well. */
  public record Content(
      LadderSpec ladder,
      EncodingChoice encoding,
      PictureChoice picture,
      AudioMode audio,
      Excerpt excerpt) {
    static Content usual() {
      return new Content(
          LadderSpec.auto(),
          EncodingChoice.usual(),
          PictureChoice.usual(),
          AudioMode.AUTO,
          Excerpt.whole());
    }
  }

  /**
   * In which files the output is.
   *
   * @param segment about how long a segment of a playlist lasts
   */
  public record Packaging(OutputFormat format, Duration segment) {
    private static final Duration USUAL_SEGMENT = Duration.ofSeconds(4);
    private static final Duration LONGEST_SEGMENT = Duration.ofHours(1);

    public Packaging {
      if (segment.compareTo(Duration.ZERO) <= 0 || segment.compareTo(LONGEST_SEGMENT) > 0) {
        throw new IllegalArgumentException(
            "A segment of %s s is asked for; it can be above 0 and at most %d s"
                .formatted(Excerpt.text(segment), LONGEST_SEGMENT.toSeconds()));
      }
    }

    /** Whether no other length of segments was asked for. */
    boolean isOfUsualSegments() {
      return segment.equals(USUAL_SEGMENT);
    }

    static Packaging usual() {
      return new Packaging(OutputFormat.HLS, USUAL_SEGMENT);
    }
  }

  /**
   * How the job goes about it, which changes nothing of the output.
   *
   * @param memoryBytes how much the job may use; what the machine has if empty
   * @param restart whether what an earlier run left in the output is thrown away
   */
  public record Running(OptionalLong memoryBytes, boolean restart) {
    public Running {
      if (memoryBytes.isPresent() && memoryBytes.getAsLong() <= 0) {
        throw new IllegalArgumentException(
            "memoryBytes is not positive: " + memoryBytes.getAsLong());
      }
    }

    static Running usual() {
      return new Running(OptionalLong.empty(), false);
    }
  }

  /** An AV1 ladder as HLS, all else as usual. */
  public static TranscodeRequest of(Path input, Path output) {
    return new TranscodeRequest(input, output, Content.usual(), Packaging.usual(), Running.usual());
  }

  public LadderSpec ladder() {
    return content.ladder;
  }

  public EncodingChoice encoding() {
    return content.encoding;
  }

  public PictureChoice picture() {
    return content.picture;
  }

  public AudioMode audio() {
    return content.audio;
  }

  public Excerpt excerpt() {
    return content.excerpt;
  }

  public OutputFormat format() {
    return packaging.format;
  }

  public Duration segment() {
    return packaging.segment;
  }

  public OptionalLong memoryBytes() {
    return running.memoryBytes;
  }

  public boolean restart() {
    return running.restart;
  }

  private TranscodeRequest with(Content other) {
    return new TranscodeRequest(input, output, other, packaging, running);
  }

  private TranscodeRequest with(Packaging other) {
    return new TranscodeRequest(input, output, content, other, running);
  }

  private TranscodeRequest with(Running other) {
    return new TranscodeRequest(input, output, content, packaging, other);
  }

  public TranscodeRequest withLadder(LadderSpec other) {
    return with(new Content(other, encoding(), picture(), audio(), excerpt()));
  }

  public TranscodeRequest withEncoding(EncodingChoice other) {
    return with(new Content(ladder(), other, picture(), audio(), excerpt()));
  }

  public TranscodeRequest withPicture(PictureChoice other) {
    return with(new Content(ladder(), encoding(), other, audio(), excerpt()));
  }

  public TranscodeRequest withAudio(AudioMode other) {
    return with(new Content(ladder(), encoding(), picture(), other, excerpt()));
  }

  public TranscodeRequest withExcerpt(Excerpt other) {
    return with(new Content(ladder(), encoding(), picture(), audio(), other));
  }

  public TranscodeRequest withFormat(OutputFormat other) {
    return with(new Packaging(other, segment()));
  }

  public TranscodeRequest withSegment(Duration other) {
    return with(new Packaging(format(), other));
  }

  public TranscodeRequest withMemoryBytes(long bytes) {
    return with(new Running(OptionalLong.of(bytes), restart()));
  }

  public TranscodeRequest withRestart(boolean other) {
    return with(new Running(memoryBytes(), other));
  }

  public TranscodeRequest withCodec(VideoCodec codec) {
    EncodingChoice its = encoding();
    return withEncoding(
        new EncodingChoice(codec, its.preset(), its.crf(), its.maxRates(), its.mix()));
  }

  public TranscodeRequest withPreset(int preset) {
    EncodingChoice its = encoding();
    return withEncoding(
        new EncodingChoice(
            its.codec(), OptionalInt.of(preset), its.crf(), its.maxRates(), its.mix()));
  }

  public TranscodeRequest withCrf(int crf) {
    EncodingChoice its = encoding();
    return withEncoding(
        new EncodingChoice(
            its.codec(), its.preset(), OptionalInt.of(crf), its.maxRates(), its.mix()));
  }

  public TranscodeRequest withMaxFps(Rational maxFps) {
    return withPicture(
        new PictureChoice(Optional.of(maxFps), picture().deinterlace(), picture().hdr()));
  }

  public TranscodeRequest withStart(Duration start) {
    return withExcerpt(new Excerpt(start, excerpt().end()));
  }

  public TranscodeRequest withEnd(Duration end) {
    return withExcerpt(new Excerpt(excerpt().start(), Optional.of(end)));
  }
}
