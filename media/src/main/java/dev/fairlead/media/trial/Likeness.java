package dev.fairlead.media.trial;

import dev.fairlead.media.av.Picture;
import java.util.zip.CRC32;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.javacpp.BytePointer;

/**
 * How far decoded pictures are from those that were encoded, for brightness and for colours. Of
 * planar pictures in 4:2:0, of 8 bits or in words of 16.
 */
final class Likeness {
  private static final int PLANES = 3;

  /** What equal pictures have; noise of one step in 8 bits is at 48. */
  private static final double EQUAL = 99;

  private final double peak;
  private final double[] squares = new double[PLANES];
  private final long[] samples = new long[PLANES];

  Likeness(int depth) {
    this.peak = (1 << depth) - 1;
  }

  void add(Picture one, Picture other) {
    int wide = peak > 255 ? 2 : 1;
    for (int plane = 0; plane < PLANES; plane++) {
      int shift = plane == 0 ? 0 : 1;
      int columns = (one.width() + shift) >> shift;
      int rows = (one.height() + shift) >> shift;
      byte[] first = new byte[columns * wide];
      byte[] second = new byte[columns * wide];
      for (int row = 0; row < rows; row++) {
        read(one, plane, row, first);
        read(other, plane, row, second);
        squares[plane] += wide == 1 ? bytes(first, second) : words(first, second);
      }
      samples[plane] += (long) columns * rows;
    }
  }

  private static void read(Picture picture, int plane, int row, byte[] into) {
    AVFrame frame = picture.frame();
    BytePointer data = frame.data(plane);
    data.position((long) row * frame.linesize(plane)).get(into);
  }

  private static double bytes(byte[] first, byte[] second) {
    long sum = 0;
    for (int i = 0; i < first.length; i++) {
      int difference = (first[i] & 255) - (second[i] & 255);
      sum += (long) difference * difference;
    }
    return sum;
  }

  private static double words(byte[] first, byte[] second) {
    long sum = 0;
    for (int i = 0; i + 1 < first.length; i += 2) {
      int difference = word(first, i) - word(second, i);
      sum += (long) difference * difference;
    }
    return sum;
  }

  private static int word(byte[] row, int place) {
    return (row[place] & 255) | (row[place + 1] & 255) << 8;
  }

  /** The ratio of signal to noise in decibels; of brightness, and of the worse colour. */
  double luma() {
    return decibels(0);
  }

  double chroma() {
    return Math.min(decibels(1), decibels(2));
  }

  private double decibels(int plane) {
    double mean = samples[plane] == 0 ? 0 : squares[plane] / samples[plane];
    return mean == 0 ? EQUAL : Math.min(EQUAL, 10 * StrictMath.log10(peak * peak / mean));
  }

  /** A checksum of all that is seen of a planar picture of 8 bits. */
  static long checksum(Picture picture) {
    CRC32 sum = new CRC32();
    for (int plane = 0; plane < PLANES; plane++) {
      int shift = plane == 0 ? 0 : 1;
      byte[] line = new byte[(picture.width() + shift) >> shift];
      for (int row = 0; row < (picture.height() + shift) >> shift; row++) {
        read(picture, plane, row, line);
        sum.update(line);
      }
    }
    return sum.getValue();
  }
}
