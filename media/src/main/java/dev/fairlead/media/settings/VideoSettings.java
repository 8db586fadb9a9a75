package dev.fairlead.media.settings;

import dev.fairlead.media.source.Colour;
import dev.fairlead.media.source.Rational;

/**
 * How the chunks of a rung are encoded on a device.
 *
 * @param device the leased GPU: its number for NVENC, its render node for VAAPI, else empty
 * @param maxrate bits a second that are not to be exceeded; zero for no limit
 * @param deviceFrames whether pictures are scaled in the GPU's memory and encoded from there
 */
public record VideoSettings(
    EncoderKind kind,
    String device,
    ScalingTarget target,
    Rational timeBase,
    Rational frameRate,
    int preset,
    int crf,
    long maxrate,
    Colour colour,
    boolean deviceFrames) {
  /** More frames a second than this SVT-AV1 refuses. */
  private static final int FASTEST = 240;

  private static final Rational USUAL_RATE = new Rational(25, 1);

  /** The part of a limit that an encoder is given: it overshoots that, so chunks keep the whole. */
  private static final double TOLD = 0.55;

  private static final int LEAST_RATE = 1_000;
  private static final int STEPS_TO_HALVE = 6;

  /** Pictures come from the memory of the host. */
  public VideoSettings(
      EncoderKind kind,
      String device,
      ScalingTarget target,
      Rational timeBase,
      Rational frameRate,
      int preset,
      int crf,
      long maxrate,
      Colour colour) {
    this(kind, device, target, timeBase, frameRate, preset, crf, maxrate, colour, false);
  }

  public VideoSettings with(ScalingTarget other) {
    return new VideoSettings(
        kind, device, other, timeBase, frameRate, preset, crf, maxrate, colour, deviceFrames);
  }

  /** The same at another rate. */
  public VideoSettings withRate(Rational ticks, Rational rate) {
    return new VideoSettings(
        kind, device, target, ticks, rate, preset, crf, maxrate, colour, deviceFrames);
  }

  public VideoSettings withDeviceFrames(boolean other) {
    return new VideoSettings(
        kind, device, target, timeBase, frameRate, preset, crf, maxrate, colour, other);
  }

  /** Where FFmpeg finds the GPU. */
  public HardwareAddress address() {
    return new HardwareAddress(kind.api().orElseThrow(), device);
  }

  /** How the pictures lie in memory that the encoder is given: GPUs want chroma interleaved. */
  public String pixelFormat() {
    if (kind.runsOnProcessor()) {
      return target.pixelFormat();
    }
    return target.depth() > 8 ? "p010le" : "nv12";
  }

  /**
   * Frames a second that the encoder is given: a hint, within what every encoder takes. Where it is
   * not known, GPUs are given a usual one, since they would take ticks for frames, and others zero.
   */
  public Rational toldRate() {
    if (frameRate.num() <= 0) {
      return kind.runsOnProcessor() ? frameRate : USUAL_RATE;
    }
    if (frameRate.value() > FASTEST) {
      return new Rational(FASTEST, 1);
    }
    return frameRate.value() < 1 ? new Rational(1, 1) : frameRate;
  }

  /** The same for so many times fewer bits, by quality and, if headers do not say it, by rate. */
  public VideoSettings coarser(double times) {
    double halvings = StrictMath.log(times) / StrictMath.log(2);
    int steps = (int) Math.ceil(STEPS_TO_HALVE * halvings);
    long rate = Math.max(LEAST_RATE, Math.round(maxrate / times));
    return new VideoSettings(
        kind,
        device,
        target,
        timeBase,
        frameRate,
        preset,
        Math.max(crf, Math.min(kind.largestCrf(), crf + steps)),
        kind.writesNoRates() ? rate : maxrate,
        colour,
        deviceFrames);
  }

  /** Bits a second not to be exceeded, for an encoder that believes in {@link #toldRate}. */
  public long toldMaxrate() {
    double told = TOLD * maxrate;
    return Math.round(
        frameRate.num() <= 0 ? told : told * (toldRate().value() / frameRate.value()));
  }

  /** Bits a second for encoders that take no quality. */
  long usualBitRate() {
    double pixels = (double) target.width() * target.height();
    double rate = frameRate.num() > 0 ? frameRate.value() : 25;
    long guess = Math.max(100_000, Math.round(pixels * rate * 0.08));
    return maxrate > 0 ? Math.min(toldMaxrate(), guess) : guess;
  }
}
