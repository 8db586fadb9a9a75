package dev.fairlead.benchmarks;

import dev.fairlead.compute.driver.ProgramSource;

/**
 * A blur of RGBA frames with five taps, 1 4 6 4 1, along each row and then along each column. All
 * arithmetic is that of integers, so that every device gives the same bytes.
 */
final class Blur {
  static final int WIDTH = 1920;
  static final int HEIGHT = 1080;
  static final int BYTES = WIDTH * HEIGHT * 4;

  static final ProgramSource SOURCE =
      ProgramSource.openCl(
          """
          uchar4 weigh(uchar4 a, uchar4 b, uchar4 c, uchar4 d, uchar4 e) {
            ushort4 sum = convert_ushort4(a) + convert_ushort4(e)
                + (ushort4)(4) * (convert_ushort4(b) + convert_ushort4(d))
                + (ushort4)(6) * convert_ushort4(c) + (ushort4)(8);
            return convert_uchar4(sum >> (ushort4)(4));
          }

          kernel void rows(global const uchar4 *in, global uchar4 *out, int width, int height) {
            int x = get_global_id(0), y = get_global_id(1);
            global const uchar4 *row = in + y * width;
            out[y * width + x] = weigh(
                row[max(x - 2, 0)], row[max(x - 1, 0)], row[x],
                row[min(x + 1, width - 1)], row[min(x + 2, width - 1)]);
          }

          kernel void columns(global const uchar4 *in, global uchar4 *out, int width, int height) {
            int x = get_global_id(0), y = get_global_id(1);
            global const uchar4 *column = in + x;
            out[y * width + x] = weigh(
                column[max(y - 2, 0) * width], column[max(y - 1, 0) * width], column[y * width],
                column[min(y + 1, height - 1) * width], column[min(y + 2, height - 1) * width]);
          }
          """);

  private Blur() {}

  /** The same in plain Java, which is the reference. */
  static void blur(byte[] in, byte[] between, byte[] out) {
    for (int y = 0; y < HEIGHT; y++) {
      int row = y * WIDTH;
      for (int x = 0; x < WIDTH; x++) {
        weigh(
            in,
            4 * (row + Math.max(x - 2, 0)),
            4 * (row + Math.max(x - 1, 0)),
            4 * (row + x),
            4 * (row + Math.min(x + 1, WIDTH - 1)),
            4 * (row + Math.min(x + 2, WIDTH - 1)),
            between);
      }
    }
    for (int y = 0; y < HEIGHT; y++) {
      for (int x = 0; x < WIDTH; x++) {
        weigh(
            between,
            4 * (Math.max(y - 2, 0) * WIDTH + x),
            4 * (Math.max(y - 1, 0) * WIDTH + x),
            4 * (y * WIDTH + x),
            4 * (Math.min(y + 1, HEIGHT - 1) * WIDTH + x),
            4 * (Math.min(y + 2, HEIGHT - 1) * WIDTH + x),
            out);
      }
    }
  }

  private static void weigh(byte[] in, int a, int b, int c, int d, int e, byte[] out) {
    for (int i = 0; i < 4; i++) {
      int ends = (in[a + i] & 0xFF) + (in[e + i] & 0xFF);
      int beside = (in[b + i] & 0xFF) + (in[d + i] & 0xFF);
      out[c + i] = (byte) ((ends + 4 * beside + 6 * (in[c + i] & 0xFF) + 8) >> 4);
    }
  }
}
