package dev.fairlead.media.pack;

import dev.fairlead.media.codec.CodecConfig;
import dev.fairlead.media.store.Sample;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Writes one MP4 that plays while it is loading: {@code moov} first, then all tracks interleaved by
 * about a second.
 *
 * <p>Samples are read twice, first for their sizes and times, then for their bytes, and never held
 * together. Times count from the start of the output: a track that begins before it, because its
 * encoder primes, or after it gets an edit list.
 */
public final class Mp4Writer {
  private static final long LARGE_FROM = 0xf0000000L; // leaves room for moov below 4 GiB

  private Mp4Writer() {}

  /**
   * A track to be written.
   *
   * @param samples in decoding order, the same whenever asked; closed after use
   */
  public record Track(TrackFormat format, Supplier<Stream<Sample>> samples) {}

  /** Writes {@code file}, whole or not at all; gives its bytes. */
  public static long write(Publication publication, Path file, List<Track> tracks) {
    return write(publication, file, tracks, LARGE_FROM);
  }

  public static long write(Path file, List<Track> tracks) {
    return write(file, tracks, LARGE_FROM);
  }

  static long write(Path file, List<Track> tracks, long largeFrom) {
    return write(Publication.plain(), file, tracks, largeFrom);
  }

  private static long write(
      Publication publication, Path file, List<Track> tracks, long largeFrom) {
    if (tracks.isEmpty()) {
      throw new IllegalArgumentException("No tracks for " + file);
    }
    List<SampleTable> tables = new ArrayList<>();
    for (Track track : tracks) {
      try (Stream<Sample> samples = track.samples.get()) {
        tables.add(SampleTable.of(track.format, samples));
      }
    }
    Layout layout = new Layout(tracks, tables, largeFrom);
    return AtomicFile.write(
            publication,
            file,
            out -> {
              out.write(layout.header());
              layout.copy(out);
            })
        .bytes();
  }

  /** A chunk of a track. */
  private record Piece(int track, SampleTable.Chunk chunk, double seconds) {}

  /** Where everything is in the file. */
  private static final class Layout {
    private final List<Track> tracks;
    private final List<SampleTable> tables;
    private final List<Piece> pieces = new ArrayList<>();
    private final long dataBytes;
    private final boolean wide;

    Layout(List<Track> tracks, List<SampleTable> tables, long largeFrom) {
      this.tracks = tracks;
      this.tables = tables;
      long bytes = 0;
      for (int i = 0; i < tables.size(); i++) {
        double timescale = tracks.get(i).format.timescale();
        for (SampleTable.Chunk chunk : tables.get(i).chunks()) {
          pieces.add(new Piece(i, chunk, chunk.start / timescale));
          bytes += chunk.bytes;
        }
      }
      pieces.sort(Comparator.comparingDouble(Piece::seconds));
      this.dataBytes = bytes;
      this.wide = bytes >= largeFrom;
    }

    /** All that comes before the first sample. Its size does not depend on the offsets in it. */
    byte[] header() {
      place(beforeData().length);
      return beforeData();
    }

    private void place(long from) {
      long offset = from;
      for (Piece piece : pieces) {
        piece.chunk.offset = offset;
        offset += piece.chunk.bytes;
      }
    }

    private byte[] beforeData() {
      Boxes out = new Boxes();
      out.box("ftyp", () -> brands(out));
      TrackBoxes boxes = new TrackBoxes(out);
      int timescale = tracks.getFirst().format.timescale();
      out.box(
          "moov",
          () -> {
            long longest = 0;
            for (int i = 0; i < tracks.size(); i++) {
              longest = Math.max(longest, shown(i, timescale));
            }
            boxes.movieHeader(timescale, longest, tracks.size() + 1);
            for (int i = 0; i < tracks.size(); i++) {
              int track = i;
              SampleTable table = tables.get(i);
              boxes.track(
                  i + 1,
                  tracks.get(i).format,
                  new TrackBoxes.Whole(shown(i, timescale), table.duration(), table.rates()),
                  () -> edits(out, track, timescale),
                  () -> table.write(out, wide));
            }
          });
      if (wide) {
        out.u32(1).ascii("mdat").u64(dataBytes + 16);
      } else {
        out.u32(dataBytes + 8).ascii("mdat");
      }
      return out.toByteArray();
    }

    private void brands(Boxes out) {
      out.ascii("isom").u32(0).ascii("isom").ascii("iso6").ascii("mp41");
      if (tracks.stream().anyMatch(track -> track.format.config() instanceof CodecConfig.Av1)) {
        out.ascii("av01");
      }
    }

    private void edits(Boxes out, int track, int movieTimescale) {
      SampleTable table = tables.get(track);
      long start = table.start();
      if (start == 0) {
        return;
      }
      int timescale = tracks.get(track).format.timescale();
      out.box(
          "edts",
          () ->
              out.fullBox(
                  "elst",
                  1,
                  0,
                  () -> {
                    out.u32(start > 0 ? 2 : 1);
                    if (start > 0) {
                      out.u64(rescaled(start, timescale, movieTimescale)).u64(-1).u32(0x10000);
                    }
                    long played = table.duration() + Math.min(0, start);
                    out.u64(rescaled(played, timescale, movieTimescale));
                    out.u64(Math.max(0, -start)).u32(0x10000);
                  }));
    }

    /** When the track ends, in ticks of the movie. */
    private long shown(int track, int movieTimescale) {
      SampleTable table = tables.get(track);
      int timescale = tracks.get(track).format.timescale();
      return rescaled(Math.max(0, table.start() + table.duration()), timescale, movieTimescale);
    }

    private static long rescaled(long ticks, int from, int to) {
      return from == to ? ticks : Math.ceilDiv(Math.multiplyExact(ticks, (long) to), from);
    }

    void copy(OutputStream out) throws IOException {
      List<Stream<Sample>> streams = new ArrayList<>();
      try {
        List<Iterator<Sample>> sources = new ArrayList<>();
        for (Track track : tracks) {
          streams.add(track.samples.get());
          sources.add(streams.getLast().iterator());
        }
        int[] next = new int[tracks.size()];
        for (Piece piece : pieces) {
          for (int i = 0; i < piece.chunk.samples; i++) {
            copy(sources.get(piece.track), tables.get(piece.track), next[piece.track]++, out);
          }
        }
      } finally {
        streams.forEach(Stream::close);
      }
    }

    private static void copy(
        Iterator<Sample> source, SampleTable table, int index, OutputStream out)
        throws IOException {
      byte[] data = source.hasNext() ? source.next().data() : new byte[0];
      if (data.length != table.size(index)) {
        throw new IllegalStateException(
            "Sample %d had %d bytes at first, then %d"
                .formatted(index, table.size(index), data.length));
      }
      out.write(data);
    }
  }
}
