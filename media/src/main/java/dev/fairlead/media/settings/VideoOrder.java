package dev.fairlead.media.settings;

import dev.fairlead.media.source.Rational;
import dev.fairlead.media.source.Turn;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Which pictures of a source are wanted, and how.
 *
 * @param begin when the output begins: the first picture of the source is shown from then on
 * @param from the first timestamp that is wanted, in ticks of the track
 * @param to the first that is not
 * @param turn how each picture is turned
 * @param threads how many threads the decoder may use
 * @param hardware where it decodes if it can; empty for the processor
 * @param stays whether pictures stay in the memory of what has decoded them
 */
public record VideoOrder(
    Path path,
    int stream,
    Rational timeBase,
    Rational frameRate,
    long begin,
    long from,
    long to,
    Turn turn,
    boolean deinterlace,
    int threads,
    Optional<HardwareAddress> hardware,
    boolean stays) {
  public VideoOrder {
    if (stays && (deinterlace || turn != Turn.NONE)) {
      throw new IllegalArgumentException("Pictures that are filtered do not stay on a device");
    }
  }

  /** The same of another part of the source. */
  public VideoOrder between(long first, long end) {
    return new VideoOrder(
        path,
        stream,
        timeBase,
        frameRate,
        begin,
        first,
        end,
        turn,
        deinterlace,
        threads,
        hardware,
        stays);
  }

  /** The same, decoded on a card. */
  public VideoOrder on(CardDecoder card) {
    return new VideoOrder(
        path,
        stream,
        timeBase,
        frameRate,
        begin,
        from,
        to,
        turn,
        deinterlace,
        threads,
        Optional.of(card.address()),
        card.stays());
  }

  /** What is done to each picture before anything else; empty if nothing. */
  public String filters() {
    String fields = deinterlace ? "bwdif=mode=send_frame:deint=interlaced" : "";
    boolean both = deinterlace && turn != Turn.NONE;
    return fields + (both ? "," : "") + turn.filters();
  }

  /**
   * When the picture is shown, at the latest, at which decoding may begin. Fields are filled in
   * from the picture before too, so there must be one.
   */
  public long latestEntry() {
    return deinterlace ? from - 1 : from;
  }

  /** How long a frame lasts where nothing else is known, in ticks. */
  public long usualDuration() {
    double seconds = frameRate.num() > 0 ? 1 / frameRate.value() : 1 / 25.0;
    return Math.max(1, Math.round(seconds / timeBase.value()));
  }
}
