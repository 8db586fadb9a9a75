package dev.fairlead.media.output;

import dev.fairlead.media.codec.CodecConfig;
import dev.fairlead.media.pack.Segment;
import dev.fairlead.media.pack.TrackFormat;
import dev.fairlead.media.pack.TrackWriter;
import dev.fairlead.media.plan.ChunkGrid;
import dev.fairlead.media.store.ChunkFile;
import dev.fairlead.media.store.Sample;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts the chunks of one rung, which are committed in any order, into segments in theirs. Not for
 * use by two threads at once.
 */
final class RungSegmenter {
  private final ChunkGrid grid;
  private final TrackWriter writer;
  private final CodecConfig config;
  private final ChunkSequencer order;
  private final LargestRate rate;
  private final List<Path> gathered = new ArrayList<>();
  private int segments;

  /**
   * A line for a rung.
   *
   * @param all the chunks that there are, in order; may grow at its end
   */
  RungSegmenter(ChunkGrid grid, TrackWriter writer, TrackFormat.Video format, List<Long> all) {
    this.grid = grid;
    this.writer = writer;
    this.config = format.config();
    this.order = new ChunkSequencer(all);
    this.rate = new LargestRate(format.timescale());
  }

  /** Takes a chunk; answers the segments that it completed. */
  List<Segment> add(long chunk, Path file) {
    List<Segment> written = new ArrayList<>();
    order.add(chunk, file, (before, next, its) -> gather(before, next, its, written));
    return written;
  }

  /** Answers the segments that are complete since there are more chunks. */
  List<Segment> advance() {
    List<Segment> written = new ArrayList<>();
    order.advance((before, next, its) -> gather(before, next, its, written));
    return written;
  }

  private void gather(long before, long chunk, Path file, List<Segment> written) {
    if (!gathered.isEmpty() && grid.segmentOf(chunk) != grid.segmentOf(before)) {
      written.add(write());
    }
    gathered.add(file);
  }

  /** No chunk comes any more: answers the segments that are complete now, the last among them. */
  List<Segment> end() {
    List<Segment> written = advance();
    if (!gathered.isEmpty()) {
      written.add(write());
    }
    return written;
  }

  /** All segments that are written. */
  List<Segment> written() {
    return writer.segments();
  }

  /** Writes what lists the segments, and answers them. */
  List<Segment> finish(int targetSeconds) {
    return writer.finish(targetSeconds);
  }

  /** The most pictures that are shown in a second; {@code usual} if that is about right. */
  double frameRate(double usual) {
    return rate.orAbout(usual);
  }

  /** A sample as files hold it. */
  static Sample stored(CodecConfig config, Sample sample) {
    return new Sample(
        sample.pts(), sample.dts(), sample.duration(), sample.sync(), config.sample(sample.data()));
  }

  /** How many segments there are. */
  int segments() {
    return segments;
  }

  private Segment write() {
    segments++;
    List<Sample> samples = new ArrayList<>();
    for (Path file : gathered) {
      for (Sample each : ChunkFile.read(file)) {
        samples.add(stored(config, each));
      }
    }
    gathered.clear();
    samples.stream().mapToLong(Sample::pts).sorted().forEach(rate::add);
    return writer.addSegment(samples);
  }
}
