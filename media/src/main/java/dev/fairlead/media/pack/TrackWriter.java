package dev.fairlead.media.pack;

import dev.fairlead.media.store.Sample;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes one track as HLS: an init segment, segments in the order they are added, a playlist.
 *
 * <p>Every file appears whole or not at all, so after a crash whoever knows the segments that were
 * written {@linkplain #keep keeps} them and goes on. Not for use by two threads at once.
 */
public final class TrackWriter {
  public static final String PLAYLIST = "index.m3u8";
  static final String INIT = "init.mp4";

  private final Publication publication;
  private final Path directory;
  private final TrackFormat format;
  private final List<Segment> segments = new ArrayList<>();

  private TrackWriter(Publication publication, Path directory, TrackFormat format) {
    this.publication = publication;
    this.directory = directory;
    this.format = format;
  }

  public static TrackWriter open(Path directory, TrackFormat format) {
    return open(Publication.plain(), directory, format);
  }

  /** Makes {@code directory} if need be and writes the init segment. */
  public static TrackWriter open(Publication publication, Path directory, TrackFormat format) {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException("Could not make " + directory, e);
    }
    byte[] init = InitSegment.bytes(format);
    AtomicFile.write(publication, directory.resolve(INIT), out -> out.write(init));
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
    MediaSegment content = new MediaSegment(samples, format.priming());
    int number = segments.size() + 1;
    String name = segmentName(number);
    AtomicFile.Written written =
        AtomicFile.write(publication, directory.resolve(name), out -> content.write(number, out));
    Segment segment =
        new Segment(
            name, written.bytes(), shown(samples, content), format.timescale(), written.sha256());
    segments.add(segment);
    return segment;
  }

  /** Goes on after a segment that was written before, by a writer of the same track. */
  public void keep(Segment segment) {
    String expected = segmentName(segments.size() + 1);
    if (!segment.name().equals(expected) || segment.timescale() != format.timescale()) {
      throw new IllegalArgumentException("Segment " + segment + " is not " + expected);
    }
    try {
      long there = Files.size(directory.resolve(expected));
      if (there != segment.bytes()) {
        throw new IllegalArgumentException(
            "%s has %d bytes, not %d: write it again".formatted(expected, there, segment.bytes()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(expected + " cannot be kept: write it again", e);
    }
    segments.add(segment);
  }

  /** Writes the playlist and answers the segments it lists. */
  public List<Segment> finish() {
    String text = MediaPlaylist.text(INIT, segments);
    MediaPlaylist.write(publication, directory.resolve(PLAYLIST), text);
    return List.copyOf(segments);
  }

  /** The first one lasts from the start of the output; what lies before that is not shown. */
  private long shown(List<Sample> samples, MediaSegment content) {
    long late = segments.isEmpty() ? samples.getFirst().dts() : 0;
    return Math.max(0, content.duration() + late);
  }
}
