package dev.fairlead.media.plan;

/** What the rungs are encoded as. */
public enum VideoCodec {
  AV1(63, 34, 9),
  HEVC(51, 26, 10),
  H264(51, 23, 10);

  private static final int PLAIN_STEP = 1080;

  private final int largestCrf;
  private final int crfOf1080p;
  private final int preset;

  VideoCodec(int largestCrf, int crfOf1080p, int preset) {
    this.largestCrf = largestCrf;
    this.crfOf1080p = crfOf1080p;
    this.preset = preset;
  }

  /** The constant rate factor that gives the least quality; the best is 0. */
  public int largestCrf() {
    return largestCrf;
  }

  /**
   * The constant rate factor of a rung, if none is asked for. One less for each step of the
   * standard ladder above 1080, one more for each below: a small picture is made for a thin line.
   */
  public int usualCrf(int shortSide) {
    int crf = crfOf1080p;
    for (int step : Frame.STEPS) {
      if (step > PLAIN_STEP && shortSide >= step) {
        crf--;
      } else if (step <= PLAIN_STEP && shortSide < step) {
        crf++;
      }
    }
    return crf;
  }

  /** From 0, slowest, to 13, fastest. */
  public int usualPreset() {
    return preset;
  }
}
