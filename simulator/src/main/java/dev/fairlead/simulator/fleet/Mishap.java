package dev.fairlead.simulator.fleet;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Something that happens to a device at a time. As text: {@code stop fast-1 at 30}, {@code slow
 * fast-1 to 0.25 at 30}, {@code flap fast-1 every 5 at 10}. A percentage stands for that part of
 * the devices, spread evenly: {@code stop 10% at 30}.
 *
 * @param amount the part of the speed that is left by a slow-down; the seconds between two turns of
 *     one that flaps; else 0
 */
public record Mishap(double seconds, int device, Kind kind, double amount) {
  /** What happens. */
  public enum Kind {
    /** What runs fails with a poisoned context; the device answers no probe until it is back. */
    STOP,
    /** Gone for good. */
    LOST,
    /** Goes on at a part of its speed. */
    SLOW,
    /** What runs never ends; a watchdog has to give it up. */
    HANG,
    /** Stops and comes back in turn. */
    FLAP,
    /** Is as it was in the beginning. */
    BACK,
    /** Is not there before. */
    JOIN,
    /** Ends what runs and takes no more. */
    LEAVE
  }

  private static final Pattern TEXT =
      Pattern.compile("(\\p{Alpha}+)\\s+(\\S+)(?:\\s+(to|every)\\s+(\\S+))?\\s+at\\s+(\\S+)");

  public Mishap {
    if (!(seconds >= 0) || Double.isInfinite(seconds)) {
      throw new IllegalArgumentException("time is not zero or more: " + seconds);
    }
    boolean measured = kind == Kind.SLOW || kind == Kind.FLAP;
    if (measured && !(amount > 0 && Double.isFinite(amount))) {
      throw new IllegalArgumentException(
          (kind == Kind.SLOW ? "the part of the speed" : "the period") + " is not positive");
    }
  }

  /** Reads one; more than one if it names a part of the devices. */
  public static List<Mishap> parse(String text, FleetSpec fleet) {
    Matcher parts = TEXT.matcher(text.strip());
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "\"%s\" is not KIND DEVICE [to PART | every SECONDS] at SECONDS".formatted(text.strip()));
    }
    Kind kind = kind(parts.group(1));
    String wanted = kind == Kind.SLOW ? "to" : kind == Kind.FLAP ? "every" : null;
    String given = parts.group(3);
    if (wanted == null ? given != null : !wanted.equals(given)) {
      throw new IllegalArgumentException(
          "%s takes %s".formatted(name(kind), wanted == null ? "only a time" : wanted + " NUMBER"));
    }
    double amount = given == null ? 0 : number(given, parts.group(4));
    double at = number("at", parts.group(5));
    List<Mishap> all = new ArrayList<>();
    for (int device : devices(parts.group(2), fleet)) {
      all.add(new Mishap(at, device, kind, amount));
    }
    return all;
  }

  private static String name(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private static Kind kind(String name) {
    for (Kind kind : Kind.values()) {
      if (name(kind).equals(name.toLowerCase(Locale.ROOT))) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        "there is no mishap \"%s\"; there are stop, lost, slow, hang, flap, back, join, leave"
            .formatted(name));
  }

  private static List<Integer> devices(String which, FleetSpec fleet) {
    if (!which.endsWith("%")) {
      return List.of(fleet.index(which));
    }
    double part = number("the part", which.substring(0, which.length() - 1)) / 100;
    if (!(part > 0 && part <= 1)) {
      throw new IllegalArgumentException("the part is not within 0% and 100%: " + which);
    }
    int count = Math.max(1, (int) Math.round(part * fleet.size()));
    List<Integer> chosen = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      chosen.add((int) ((long) i * fleet.size() / count));
    }
    return chosen;
  }

  private static double number(String what, String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException bad) {
      throw new IllegalArgumentException("%s is not a number: \"%s\"".formatted(what, text), bad);
    }
  }
}
