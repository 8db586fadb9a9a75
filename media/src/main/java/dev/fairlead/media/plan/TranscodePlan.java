package dev.fairlead.media.plan;

import dev.fairlead.media.source.MediaInfo;
import dev.fairlead.media.source.Rational;
import dev.fairlead.media.source.VideoTrack;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * What is made of a source: a function of source and request only.
 *
 * @param notes what is not done as asked, and why, in sentences
 */
public record TranscodePlan(
    MediaInfo source,
    TranscodeRequest request,
    List<Rung> rungs,
    ChunkGrid grid,
    Timeline timeline,
    VideoPlan video,
    List<AudioPlan> audio,
    List<SubtitlePlan> subtitles,
    List<String> notes) {
  private static final int MOST_LISTED = 8;

  public TranscodePlan {
    rungs = List.copyOf(rungs);
    audio = List.copyOf(audio);
    subtitles = List.copyOf(subtitles);
    notes = List.copyOf(notes);
  }

  /**
   * Plans a request.
   *
   * @throws PlanException if request and source do not go together
   */
  public static TranscodePlan of(MediaInfo source, TranscodeRequest request) {
    VideoTrack video = source.video();
    Ladders.Ladder ladder = Ladders.of(video, request.ladder(), request.encoding());
    List<String> notes = new ArrayList<>(ladder.notes());
    notes.addAll(Effects.notes(source, request));
    ChunkGrid grid = ChunkGrid.of(video, request, SoundLead.ticks(source, request, notes));
    checkStart(source, request, grid);
    if (!source.otherVideo().isEmpty()) {
      notes.add(
          "Video in streams %s is left out; that in stream %d is encoded"
              .formatted(listed(source.otherVideo()), video.stream()));
    }
    return new TranscodePlan(
        source,
        request,
        ladder.rungs(),
        grid,
        Timeline.of(video.timeBase(), grid.start()),
        VideoPlan.of(video, request, notes),
        AudioPlan.of(source.audio(), request.audio(), notes),
        SubtitlePlan.of(source.subtitles(), notes),
        notes);
  }

  private static String listed(List<Integer> streams) {
    String first =
        streams.stream().limit(MOST_LISTED).map(String::valueOf).collect(Collectors.joining(", "));
    return streams.size() > MOST_LISTED
        ? "%s and %d more".formatted(first, streams.size() - MOST_LISTED)
        : first;
  }

  /** Ticks a second of the output's video. */
  public int timescale() {
    return timeline.timescale();
  }

  /** Frames a second of the output, about; zero if that is not known. */
  public Rational frameRate() {
    Rational rate = source.video().frameRate();
    return request
        .picture()
        .maxFps()
        .filter(most -> rate.num() <= 0 || most.value() < rate.value())
        .orElse(rate);
  }

  /** About how many chunks each rung has; empty if the source does not say how long it is. */
  public OptionalLong expectedChunks() {
    OptionalLong end = expectedEnd();
    return end.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(Math.max(1, grid.chunkOf(end.getAsLong() - 1) + 1));
  }

  /** About how many frames each rung has; empty if that is not known. */
  public OptionalLong expectedFrames() {
    OptionalLong end = expectedEnd();
    if (end.isEmpty()) {
      return OptionalLong.empty();
    }
    long whole = grid.chunkOf(end.getAsLong());
    long rest = (end.getAsLong() - grid.startOf(whole)) * chunkFrames();
    long frames = whole * chunkFrames() + Rescale.nearest(rest, grid.lengthDen(), grid.lengthNum());
    return OptionalLong.of(Math.max(1, frames));
  }

  /** About how many seconds the output lasts; zero if that is not known. */
  public double expectedSeconds() {
    OptionalLong end = expectedEnd();
    return end.isEmpty()
        ? 0
        : Math.max(0, (end.getAsLong() - grid.start()) * source.video().timeBase().value());
  }

  /** What decides the output, to be compared with that of another run. */
  public Fingerprint fingerprint() {
    return PlanFingerprint.of(this);
  }

  /** About how much memory it takes. */
  public Memory memory() {
    return Memory.of(this);
  }

  /** Seconds of the source that become 0 in the output. */
  public double from() {
    return grid.start() * source.video().timeBase().value();
  }

  /** Seconds of the source at which the output ends; infinite for the end of the source. */
  public double to() {
    return grid.end().isPresent()
        ? grid.end().getAsLong() * source.video().timeBase().value()
        : Double.POSITIVE_INFINITY;
  }

  /** About how many pictures a chunk has at most: all of them if the source is shorter. */
  public int chunkPictures() {
    return (int) Math.min(chunkFrames(), expectedFrames().orElse(Long.MAX_VALUE));
  }

  /** How many frames of a chunk are kept, at the source's rate. */
  int chunkFrames() {
    Optional<Rational> maxFps = request.picture().maxFps();
    if (maxFps.isEmpty()) {
      return grid.frames();
    }
    Rational rate = maxFps.get();
    long most =
        Rescale.ceiling(grid.seconds().num(), rate.num(), (long) grid.seconds().den() * rate.den());
    return Math.clamp(most, 1, grid.frames());
  }

  private OptionalLong expectedEnd() {
    VideoTrack video = source.video();
    if (video.duration() <= 0) {
      return grid.end();
    }
    long end = Math.addExact(video.start(), video.duration());
    return OptionalLong.of(Math.min(end, grid.end().orElse(Long.MAX_VALUE)));
  }

  private static void checkStart(MediaInfo source, TranscodeRequest request, ChunkGrid grid) {
    VideoTrack video = source.video();
    Duration start = request.excerpt().start();
    if (start.isPositive()
        && video.duration() > 0
        && grid.start() - video.start() >= video.duration()) {
      throw new PlanException(
          "The start, %s s, is not before the end of %s, at about %s s; choose an earlier one"
              .formatted(Excerpt.text(start), request.input(), seconds(video)));
    }
  }

  private static String seconds(VideoTrack video) {
    long millis =
        Rescale.nearest(video.duration(), 1_000L * video.timeBase().num(), video.timeBase().den());
    return BigDecimal.valueOf(millis, 3).toPlainString();
  }
}
