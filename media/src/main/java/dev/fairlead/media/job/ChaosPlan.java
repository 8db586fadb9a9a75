package dev.fairlead.media.job;

import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.worker.Chaos;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * Faults that are made on purpose, so that people can rehearse.
 *
 * <p>A plan is a list of {@code KIND@WHEN[xTIMES]} with commas between, and {@code seed=N} for the
 * random ones. When is a chunk's number ({@code crash@3}), a rung and a chunk ({@code
 * throw@720p/3}), a time ({@code lost@12s}: whatever begins next after that), or a probability
 * ({@code throw@10%}). A fault is made once, or as often as TIMES says; {@code x*} is always, and
 * so is a probability.
 */
public final class ChaosPlan {
  private static final ChaosPlan NONE = new ChaosPlan(List.of(), 0);
  private static final Map<String, Chaos> KINDS =
      Map.of(
          "throw", Chaos.THROW,
          "hang", Chaos.HANG,
          "lie", Chaos.LIE,
          "garble", Chaos.GARBLE,
          "memory", Chaos.OUT_OF_MEMORY,
          "lost", Chaos.LOST,
          "crash", Chaos.CRASH,
          "kill", Chaos.KILL);

  private final List<Fault> faults;
  private final Random random;

  private ChaosPlan(List<Fault> faults, long seed) {
    this.faults = faults;
    this.random = new Random(seed);
  }

  private sealed interface When {
    /** A chunk of a rung, or of any if the rung is empty. */
    record AtChunk(String rung, long chunk) implements When {}

    record AtSecond(double second) implements When {}

    record Sometimes(double probability) implements When {}
  }

  private static final class Fault {
    private final Chaos kind;
    private final When when;
    private int left;

    Fault(Chaos kind, When when, int left) {
      this.kind = kind;
      this.when = when;
      this.left = left;
    }
  }

  public static ChaosPlan none() {
    return NONE;
  }

  /** Reads a plan such as {@code crash@3,throw@10%,seed=7}. */
  public static ChaosPlan parse(String text) {
    List<Fault> faults = new ArrayList<>();
    long seed = 1;
    for (String part : text.split(",", -1)) {
      String each = part.strip().toLowerCase(Locale.ROOT);
      try {
        if (each.startsWith("seed=")) {
          seed = Long.parseLong(each.substring("seed=".length()));
        } else {
          faults.add(fault(each));
        }
      } catch (IllegalArgumentException malformed) {
        throw new IllegalArgumentException(
            ("\"%s\" is no fault; write throw, hang, lie, garble, memory, lost, crash or kill, then"
                    + " @ and a chunk (3), a rung and a chunk (720p/3), a time (12s) or a"
                    + " probability (10%%), then perhaps x and how often (x2, x*); or seed=N")
                .formatted(part),
            malformed);
      }
    }
    return new ChaosPlan(faults, seed);
  }

  private static Fault fault(String text) {
    String[] parts = text.split("@", 2);
    Chaos kind = KINDS.get(parts[0]);
    if (parts.length != 2 || kind == null) {
      throw new IllegalArgumentException(text);
    }
    String[] count = parts[1].split("x", 2);
    When when = when(count[0]);
    int times = when instanceof When.Sometimes ? Integer.MAX_VALUE : 1;
    if (count.length == 2) {
      times = count[1].equals("*") ? Integer.MAX_VALUE : Integer.parseInt(count[1]);
    }
    return new Fault(kind, when, times);
  }

  private static When when(String text) {
    if (text.endsWith("%")) {
      double percent = Double.parseDouble(text.substring(0, text.length() - 1));
      if (!(percent >= 0 && percent <= 100)) {
        throw new IllegalArgumentException(text);
      }
      return new When.Sometimes(percent / 100);
    }
    if (text.endsWith("s")) {
      double second = Double.parseDouble(text.substring(0, text.length() - 1));
      if (!(second >= 0 && second < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(text);
      }
      return new When.AtSecond(second);
    }
    int slash = text.indexOf('/');
    return new When.AtChunk(
        slash < 0 ? "" : text.substring(0, slash), Long.parseLong(text.substring(slash + 1)));
  }

  /** The fault to be made now, so many seconds after the start. */
  synchronized Chaos at(UnitId unit, double seconds) {
    for (Fault fault : faults) {
      if (fault.left > 0 && isNow(fault.when, unit, seconds)) {
        fault.left -= fault.left == Integer.MAX_VALUE ? 0 : 1;
        return fault.kind;
      }
    }
    return Chaos.NONE;
  }

  private boolean isNow(When when, UnitId unit, double seconds) {
    return switch (when) {
      case When.AtChunk at ->
          at.chunk() == unit.chunk() && (at.rung().isEmpty() || at.rung().equals(unit.rung()));
      case When.AtSecond at -> seconds >= at.second();
      case When.Sometimes sometimes -> random.nextDouble() < sometimes.probability();
    };
  }
}
