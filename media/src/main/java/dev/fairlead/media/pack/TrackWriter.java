package dev.fairlead.media.pack;

import dev.fairlead.media.store.Sample;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes one track as HLS: segments in the order they are added, then an init segment and a
 * playlist. Every file appears whole or not at all. Not for use by two threads at once.
 */
public final class TrackWriter {
  public static final String PLAYLIST = "index.m3u8";
  static final String INIT = "init.mp4";

  private final Publication publication;
  private final Path directory;
  private final TrackFormat format;
  private final List<Segment> segments = new ArrayList<>();
  private final BitRates rates;
  private Roll roll = new Roll(0);

  private TrackWriter(Publication publication, Path directory, TrackFormat format) {
    this.publication = publication;
    this.directory = directory;
    this.format = format;
    this.rates = new BitRates(format.timescale());
  }

  public static TrackWriter open(Path directory, TrackFormat format) {
    return open(Publication.plain(), directory, format);
  }

  /** Makes {@code directory} if need be. */
  public static TrackWriter open(Publication publication, Path directory, TrackFormat format) {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException("Could not make " + directory, e);
    }
    return new TrackWriter(publication, directory, format);
  }

  private static String segmentName(int number) {
    return "segment-%05d.m4s".formatted(number);
  }

  /** The names that every track has in its directory. */
  public static List<String> firstNames() {
    return List.of(INIT, segmentName(1), PLAYLIST);
  }

  /** Writes the next segment; its first sample is a sync sample. */
  public Segment addSegment(List<Sample> samples) {
    if (!samples.isEmpty() && !samples.getFirst().sync()) {
      throw new IllegalArgumentException(
          "Segment " + (segments.size() + 1) + " does not begin with a sync sample");
    }
    MediaSegment content = new MediaSegment(samples, format);
    int number = segments.size() + 1;
    String name = segmentName(number);
    AtomicFile.Written written =
        AtomicFile.write(publication, directory.resolve(name), out -> content.write(number, out));
    Segment segment =
        new Segment(
            name, written.bytes(), shown(samples, content), format.timescale(), written.sha256());
    if (segments.isEmpty()) {
      roll = Roll.of(format.config(), samples.getFirst().duration());
    }
    samples.forEach(rates::add);
    segments.add(segment);
    return segment;
  }

  /** The segments that are written. */
  public List<Segment> segments() {
    return List.copyOf(segments);
  }

  /**
   * Writes the init segment and the playlist, and answers the segments it lists.
   *
   * @param targetSeconds what all playlists of a package have in common
   */
  public List<Segment> finish(int targetSeconds) {
    byte[] init = InitSegment.bytes(format, rates, roll);
    AtomicFile.write(publication, directory.resolve(INIT), out -> out.write(init));
    String text = MediaPlaylist.text(INIT, segments, targetSeconds);
    MediaPlaylist.write(publication, directory.resolve(PLAYLIST), text);
    return segments();
  }

  /** The first one lasts from the start of the output; what lies before that is not shown. */
  private long shown(List<Sample> samples, MediaSegment content) {
    long late = segments.isEmpty() ? samples.getFirst().dts() : 0;
    return Math.max(0, content.duration() + late);
  }
}
