package dev.fairlead.media.pack;

import dev.fairlead.media.store.Sample;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** When, where and how large the samples of one track are; all but the samples themselves. */
final class SampleTable {
  /** Samples that lie together in the file. */
  static final class Chunk {
    final long start;
    int samples;
    long bytes;
    long offset;

    Chunk(long start) {
      this.start = start;
    }
  }

  private final TrackFormat format;
  private final List<Chunk> chunks = new ArrayList<>();
  private final Numbers sizes = new Numbers();
  private final Numbers syncs = new Numbers();
  private final Runs lengths = new Runs();
  private final Runs offsets = new Runs();
  private final BitRates rates;
  private long first;
  private long previous;
  private long duration;
  private boolean reordered;

  private SampleTable(TrackFormat format) {
    this.format = format;
    this.rates = new BitRates(format.timescale());
  }

  /** Reads all samples once; a chunk lasts about a second. */
  static SampleTable of(TrackFormat format, Stream<Sample> samples) {
    SampleTable table = new SampleTable(format);
    samples.forEachOrdered(table::add);
    if (table.sizes.count == 0) {
      throw new IllegalArgumentException("A track without samples cannot be written: " + format);
    }
    long rest = table.first + table.duration - table.previous;
    table.lengths.add(Math.toIntExact(Math.max(0, rest)));
    return table;
  }

  private void add(Sample sample) {
    if (sizes.count == 0) {
      first = sample.dts();
    } else if (sample.dts() < previous) {
      throw new IllegalArgumentException(
          "A sample is decoded at %d, after one decoded at %d".formatted(sample.dts(), previous));
    } else {
      lengths.add(Math.toIntExact(sample.dts() - previous));
    }
    if (chunks.isEmpty() || sample.dts() - chunks.getLast().start >= format.timescale()) {
      chunks.add(new Chunk(sample.dts()));
    }
    chunks.getLast().samples++;
    chunks.getLast().bytes += sample.data().length;
    previous = sample.dts();
    duration += sample.duration();
    sizes.add(sample.data().length);
    if (sample.sync()) {
      syncs.add(sizes.count);
    }
    int offset = Math.toIntExact(sample.pts() - sample.dts());
    reordered |= offset != 0;
    offsets.add(offset);
    rates.add(sample);
  }

  List<Chunk> chunks() {
    return chunks;
  }

  int size(int sample) {
    return sizes.values[sample];
  }

  BitRates rates() {
    return rates;
  }

  /** From the first sample's decoding to the end, in ticks. */
  long duration() {
    return duration;
  }

  /** When the first sample is decoded, from the start of the output; negative for priming. */
  long start() {
    return first;
  }

  void write(Boxes out, boolean wide) {
    out.fullBox("stts", 0, 0, () -> lengths.write(out));
    if (reordered) {
      out.fullBox("ctts", 1, 0, () -> offsets.write(out));
    }
    if (syncs.count < sizes.count) {
      out.fullBox(
          "stss",
          0,
          0,
          () -> {
            out.u32(syncs.count);
            syncs.write(out);
          });
    }
    out.fullBox("stsc", 0, 0, () -> samplesPerChunk(out));
    out.fullBox(
        "stsz",
        0,
        0,
        () -> {
          out.u32(0).u32(sizes.count);
          sizes.write(out);
        });
    out.fullBox(
        wide ? "co64" : "stco",
        0,
        0,
        () -> {
          out.u32(chunks.size());
          chunks.forEach(chunk -> position(out, chunk.offset, wide));
        });
    Roll.of(format.config(), lengths.values.values[0]).describe(out);
    Roll.group(out, format.config(), sizes.count);
  }

  private static void position(Boxes out, long offset, boolean wide) {
    if (wide) {
      out.u64(offset);
    } else {
      out.u32(offset);
    }
  }

  private void samplesPerChunk(Boxes out) {
    int countAt = out.size();
    out.u32(0);
    int entries = 0;
    for (int i = 0; i < chunks.size(); i++) {
      if (i == 0 || chunks.get(i).samples != chunks.get(i - 1).samples) {
        out.u32(i + 1).u32(chunks.get(i).samples).u32(1);
        entries++;
      }
    }
    out.patch32(countAt, entries);
  }

  /** A growing list of numbers. */
  private static final class Numbers {
    private int[] values = new int[256];
    private int count;

    void add(int value) {
      if (count == values.length) {
        values = Arrays.copyOf(values, count * 2);
      }
      values[count++] = value;
    }

    void write(Boxes out) {
      for (int i = 0; i < count; i++) {
        out.u32(values[i]);
      }
    }
  }

  /** A list of numbers in which equal neighbours are counted. */
  private static final class Runs {
    private final Numbers counts = new Numbers();
    private final Numbers values = new Numbers();

    void add(int value) {
      if (counts.count > 0 && values.values[values.count - 1] == value) {
        counts.values[counts.count - 1]++;
      } else {
        counts.add(1);
        values.add(value);
      }
    }

    void write(Boxes out) {
      out.u32(counts.count);
      for (int i = 0; i < counts.count; i++) {
        out.u32(counts.values[i]).u32(values.values[i]);
      }
    }
  }
}
