package dev.fairlead.cli;

/**
 * A small picture that the demonstration works on: made from its number, blurred by a separable
 * 5-tap filter in integer arithmetic, so that the result is the same on every device.
 */
record Frame(int number) {
  private static final int WIDTH = 320;
  private static final int HEIGHT = 180;
  private static final int PASSES = 24;

  /** A checksum of the blurred picture. */
  long blurred() {
    int[] pixels = new int[WIDTH * HEIGHT];
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = ((i % WIDTH) * 7 + (i / WIDTH) * 13 + number * 29) & 0xff;
    }
    int[] other = new int[pixels.length];
    for (int pass = 0; pass < PASSES; pass++) {
      blur(pixels, other, 1);
      blur(other, pixels, WIDTH);
    }
    long sum = number;
    for (int pixel : pixels) {
      sum = sum * 31 + pixel;
    }
    return sum;
  }

  private static void blur(int[] from, int[] to, int step) {
    int last = from.length - 1;
    for (int i = 0; i <= last; i++) {
      int far = from[Math.max(0, i - 2 * step)] + from[Math.min(last, i + 2 * step)];
      int near = from[Math.max(0, i - step)] + from[Math.min(last, i + step)];
      to[i] = (far + 4 * near + 6 * from[i] + 8) >> 4;
    }
  }
}
