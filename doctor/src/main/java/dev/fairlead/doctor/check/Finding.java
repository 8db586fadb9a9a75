package dev.fairlead.doctor.check;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What came of one check.
 *
 * @param id the check's
 * @param device the label of what was looked at; empty if that is the machine
 * @param detail what was seen
 * @param remedy what to do about it; empty unless it failed
 * @param facts what a profile can keep of it
 */
public record Finding(
    String id,
    String device,
    Result result,
    String detail,
    String remedy,
    Map<String, String> facts) {

  /** How a check ended. */
  public enum Result {
    PASS,
    FAIL,
    /** It was not run, or there was nothing to look at. */
    SKIP;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public Finding {
    facts = Map.copyOf(facts);
  }

  /** What a check says, before it is known whose it is. */
  public static Finding pass(String detail) {
    return new Finding("", "", Result.PASS, detail, "", Map.of());
  }

  public static Finding fail(String detail, String remedy) {
    return new Finding("", "", Result.FAIL, detail, remedy, Map.of());
  }

  public static Finding skip(String detail) {
    return new Finding("", "", Result.SKIP, detail, "", Map.of());
  }

  public Finding with(String fact, Object value) {
    Map<String, String> more = new TreeMap<>(facts);
    more.put(fact, String.valueOf(value));
    return new Finding(id, device, result, detail, remedy, more);
  }

  /** The same as that of a check on a device. */
  public Finding of(String check, String what) {
    return new Finding(check, what, result, detail, remedy, facts);
  }
}
