package dev.fairlead.media.encode;

import dev.fairlead.media.probe.Colour;
import dev.fairlead.media.probe.Rational;
import dev.fairlead.media.scale.Scaling;

/**
 * How the chunks of a rung are encoded on a device.
 *
 * @param ordinal the device's number among those of its kind, for encoders that want to know
 * @param maxrate bits a second that are not to be exceeded; zero for no limit
 */
public record VideoSettings(
    EncoderKind kind,
    int ordinal,
    Scaling.Target target,
    Rational timeBase,
    Rational frameRate,
    int preset,
    int crf,
    long maxrate,
    Colour colour) {

  /** Bits a second for encoders that cannot be told a quality. */
  long usualBitRate() {
    double pixels = (double) target.width() * target.height();
    double rate = frameRate.num() > 0 ? frameRate.value() : 25;
    long guess = Math.max(100_000, Math.round(pixels * rate * 0.08));
    return maxrate > 0 ? Math.min(maxrate, guess) : guess;
  }
}
