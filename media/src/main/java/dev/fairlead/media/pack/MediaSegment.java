package dev.fairlead.media.pack;

import dev.fairlead.media.store.Sample;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * One segment of a track: {@code styp}, one {@code moof}, one {@code mdat} (CMAF).
 *
 * <p>A sample's length in the file is the distance to the next one's decoding time. The last one
 * lasts until the sum of all durations, which is where the next segment begins, whatever order the
 * samples are decoded in.
 */
final class MediaSegment {
  private static final int SYNC = 0x02000000; // depends on no other
  private static final int NOT_SYNC = 0x01010000; // depends on others, no place to begin
  private static final int DEFAULT_BASE_IS_MOOF = 0x020000;
  private static final int DEFAULT_DURATION = 0x08;
  private static final int DEFAULT_FLAGS = 0x20;
  private static final int DATA_OFFSET = 0x001;
  private static final int FIRST_FLAGS = 0x004;
  private static final int DURATIONS = 0x100;
  private static final int SIZES = 0x200;
  private static final int FLAGS = 0x400;
  private static final int OFFSETS = 0x800;

  private final List<Sample> samples;
  private final TrackFormat format;
  private final long baseTime;

  MediaSegment(List<Sample> samples, TrackFormat format) {
    if (samples.isEmpty()) {
      throw new IllegalArgumentException("A segment has at least one sample");
    }
    this.samples = List.copyOf(samples);
    this.format = format;
    this.baseTime = samples.getFirst().dts() + format.priming();
    if (baseTime < 0) {
      throw new IllegalArgumentException(
          "The first sample is decoded at %d, but the track begins at %d"
              .formatted(samples.getFirst().dts(), -format.priming()));
    }
    if (duration() <= 0) {
      throw new IllegalArgumentException(
          "%d samples last %d ticks together".formatted(samples.size(), duration()));
    }
    for (int i = 0; i < samples.size(); i++) {
      if (length(i) < 0 || length(i) > 0xffffffffL) {
        throw new IllegalArgumentException(
            "Sample %d is decoded at %d, after one decoded at %d"
                .formatted(
                    i + 1,
                    samples.get(Math.min(i + 1, samples.size() - 1)).dts(),
                    samples.get(i).dts()));
      }
    }
  }

  /** How long its samples last together, in ticks. */
  long duration() {
    return samples.stream().mapToLong(Sample::duration).sum();
  }

  void write(int sequence, OutputStream out) throws IOException {
    out.write(header(sequence));
    for (Sample sample : samples) {
      out.write(sample.data());
    }
  }

  private byte[] header(int sequence) {
    Boxes out = new Boxes();
    out.box("styp", () -> out.ascii("msdh").u32(0).ascii("msdh").ascii("cmfs").ascii("cmff"));
    int moof = out.size();
    int[] offsetAt = new int[1];
    out.box(
        "moof",
        () -> {
          out.fullBox("mfhd", 0, 0, () -> out.u32(sequence));
          out.box("traf", () -> fragment(out, offsetAt));
        });
    long data = samples.stream().mapToLong(sample -> sample.data().length).sum();
    if (data > Integer.MAX_VALUE - 16) {
      throw new IllegalArgumentException("A segment of " + data + " bytes is too long");
    }
    out.patch32(offsetAt[0], out.size() - moof + 8);
    out.u32(data + 8).ascii("mdat");
    return out.toByteArray();
  }

  private void fragment(Boxes out, int[] offsetAt) {
    boolean even = even();
    boolean firstOnly = firstOnlyIsSync();
    boolean allSync = samples.stream().allMatch(Sample::sync);
    boolean reordered = samples.stream().anyMatch(sample -> sample.pts() != sample.dts());
    boolean flagged = !firstOnly && !allSync;
    int headerFlags = DEFAULT_BASE_IS_MOOF | DEFAULT_FLAGS | (even ? DEFAULT_DURATION : 0);
    out.fullBox(
        "tfhd",
        0,
        headerFlags,
        () -> {
          out.u32(InitSegment.TRACK);
          if (even) {
            out.u32(length(0));
          }
          out.u32(allSync ? SYNC : NOT_SYNC);
        });
    out.fullBox("tfdt", 1, 0, () -> out.u64(baseTime));
    int runFlags =
        DATA_OFFSET
            | SIZES
            | (even ? 0 : DURATIONS)
            | (firstOnly && !allSync ? FIRST_FLAGS : 0)
            | (flagged ? FLAGS : 0)
            | (reordered ? OFFSETS : 0);
    out.fullBox(
        "trun",
        1,
        runFlags,
        () -> {
          out.u32(samples.size());
          offsetAt[0] = out.size();
          out.u32(0);
          if ((runFlags & FIRST_FLAGS) != 0) {
            out.u32(SYNC);
          }
          for (int i = 0; i < samples.size(); i++) {
            Sample sample = samples.get(i);
            if (!even) {
              out.u32(length(i));
            }
            out.u32(sample.data().length);
            if (flagged) {
              out.u32(sample.sync() ? SYNC : NOT_SYNC);
            }
            if (reordered) {
              int offset = Math.toIntExact(sample.pts() - sample.dts());
              out.u32(offset);
            }
          }
        });
    Roll.group(out, format.config(), samples.size());
  }

  private boolean even() {
    for (int i = 1; i < samples.size(); i++) {
      if (length(i) != length(0)) {
        return false;
      }
    }
    return true;
  }

  private boolean firstOnlyIsSync() {
    return samples.getFirst().sync() && samples.stream().skip(1).noneMatch(Sample::sync);
  }

  private long length(int i) {
    if (i + 1 < samples.size()) {
      return samples.get(i + 1).dts() - samples.get(i).dts();
    }
    Sample last = samples.get(i);
    long rest = samples.getFirst().dts() + duration() - last.dts();
    return rest > 0 ? rest : last.duration();
  }
}
