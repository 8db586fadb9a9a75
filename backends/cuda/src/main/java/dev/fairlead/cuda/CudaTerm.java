package dev.fairlead.cuda;

import dev.fairlead.device.BadTermException;
import dev.fairlead.device.Device;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a term such as {@code cuda:1*0.5} asks for.
 *
 * @param which a number, or the beginning of a UUID; empty for all devices
 */
record CudaTerm(String text, String which, double weight) {
  private static final Pattern GRAMMAR =
      Pattern.compile(
          "cuda(?::([0-9]{1,4}|(?:GPU|MIG)-[0-9a-fA-F-]{1,36}))?(?:\\*([0-9]{1,9}(?:\\.[0-9]{1,9})?))?");

  static CudaTerm of(String text) {
    Matcher matcher = GRAMMAR.matcher(text);
    if (!matcher.matches()) {
      throw refusal(text);
    }
    String weight = matcher.group(2);
    double value = weight == null ? 1 : Double.parseDouble(weight);
    if (value <= 0) {
      throw refusal(text);
    }
    return new CudaTerm(text, matcher.group(1) == null ? "" : matcher.group(1), value);
  }

  boolean chooses(Device device) {
    return which.isEmpty()
        || which.equals(String.valueOf(device.ordinal()))
        || (which.contains("-")
            && device.id().value().regionMatches(true, 0, which, 0, which.length()));
  }

  private static BadTermException refusal(String text) {
    return new BadTermException(
        ("\"%s\" is not a choice of CUDA devices; allowed are cuda, cuda:N with the number of a"
                + " device, cuda:GPU-… with the beginning of its UUID, and each of them followed by"
                + " *W, a weight above 0")
            .formatted(text));
  }
}
