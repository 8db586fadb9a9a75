package dev.fairlead.opencl;

import dev.fairlead.device.BadTermException;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a term such as {@code opencl:0/2*0.5} asks for.
 *
 * @param device the number of a device; empty for all
 * @param parts how many parts the device is divided into; one leaves it whole
 */
record OpenClTerm(OptionalInt device, int parts, double weight) {
  private static final int MOST_PARTS = 1024;
  private static final Pattern GRAMMAR =
      Pattern.compile(
          "opencl(?::([0-9]{1,4})(?:/([0-9]{1,4}))?)?(?:\\*([0-9]{1,9}(?:\\.[0-9]{1,18})?))?");

  static final OpenClTerm ALL = new OpenClTerm(OptionalInt.empty(), 1, 1);

  static OpenClTerm of(String text) {
    Matcher matcher = GRAMMAR.matcher(text);
    if (!matcher.matches()) {
      throw refusal(text);
    }
    String number = matcher.group(1);
    String divided = matcher.group(2);
    String weighs = matcher.group(3);
    int parts = divided == null ? 1 : Integer.parseInt(divided);
    double weight = weighs == null ? 1 : Double.parseDouble(weighs);
    if (parts < 1 || parts > MOST_PARTS || weight <= 0) {
      throw refusal(text);
    }
    return new OpenClTerm(
        number == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(number)),
        parts,
        weight);
  }

  private static BadTermException refusal(String text) {
    return new BadTermException(
        ("\"%s\" is not a choice of OpenCL devices; allowed are opencl, opencl:N for the device of"
                + " that number, opencl:N/P for P equal parts of it with P from 1 to %s, and any of"
                + " them followed by *W, a weight above 0")
            .formatted(text, MOST_PARTS));
  }
}
