package dev.fairlead.media.job;

import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.wire.Chaos;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Faults that are made on purpose, so that people can rehearse.
 *
 * <p>A plan is a list of {@code KIND@WHEN[xTIMES]} with commas between, and {@code seed=N} for the
 * random ones. When is a chunk of a rung ({@code throw@720p/3}), a chunk's number for that chunk of
 * the first rung ({@code crash@3}), a time ({@code lost@12s}: whatever begins next after that and
 * has no other fault), or a probability ({@code throw@10%}). A fault is made once, or as often as
 * TIMES says; {@code x*} is always, and so is a probability. TIMES of a probability are those of
 * each chunk. A piece of sound is named as a chunk of its track ({@code crash@audio-1/0}); the
 * other ways never mean sound.
 *
 * <p>Whether an attempt at a unit fails depends on the plan, the unit and the attempt's number, and
 * on nothing else: every run has the same faults, in whatever order its units begin and on whatever
 * devices. What is due at a time is the exception; a {@code Rehearsal} sees to that. A plan may
 * condemn a unit, by chance too: {@code throw@30%} fails three attempts in a row for one unit in
 * 37, and for the same ones every time.
 */
public final class ChaosPlan {
  /** Stands for a rung where a unit is a piece of sound. */
  public static final int SOUND = -1;

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
  private final long seed;

  private ChaosPlan(List<Fault> faults, long seed) {
    this.faults = List.copyOf(faults);
    this.seed = seed;
  }

  public sealed interface When {
    /** A chunk of a rung, or of the first if the rung is empty. */
    record AtChunk(String rung, long chunk) implements When {}

    record AtSecond(double second) implements When {}

    record Sometimes(double probability) implements When {}
  }

  public record Fault(Chaos kind, When when, int times) {}

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

  /** In the order in which they were written. */
  public List<Fault> faults() {
    return faults;
  }

  /**
   * The fault of one attempt at a unit, other than what is due at a time: the first in the plan
   * that means this attempt, and that the attempts before it have left.
   *
   * @param rung the number of the unit's rung in the ladder; or {@link #SOUND}
   * @param attempt from 1; a clone, a retry and a run in a new worker are attempts
   */
  public Chaos at(int rung, UnitId unit, int attempt) {
    int[] made = new int[faults.size()];
    Chaos fault = Chaos.NONE;
    for (int each = 1; each <= attempt; each++) {
      fault = next(rung, unit, each, made);
    }
    return fault;
  }

  private Chaos next(int rung, UnitId unit, int attempt, int[] made) {
    for (int position = 0; position < faults.size(); position++) {
      Fault fault = faults.get(position);
      boolean meant =
          switch (fault.when()) {
            case When.AtChunk at ->
                at.chunk() == unit.chunk()
                    && (at.rung().isEmpty() ? rung == 0 : at.rung().equals(unit.rung()));
            case When.AtSecond _ -> false;
            case When.Sometimes sometimes ->
                rung != SOUND && drawn(position, unit, attempt) < sometimes.probability();
          };
      if (meant && made[position] < fault.times()) {
        made[position]++;
        return fault.kind();
      }
    }
    return Chaos.NONE;
  }

  /** A number from 0 to 1 that is as good as random, and the same for the same arguments. */
  private double drawn(int position, UnitId unit, int attempt) {
    long bits = mixed(seed);
    bits = mixed(bits ^ position);
    bits = mixed(bits ^ unit.rung().hashCode());
    bits = mixed(bits ^ unit.chunk());
    bits = mixed(bits ^ attempt);
    return (bits >>> 11) * 0x1p-53;
  }

  /** A step of SplitMix64 (Steele, Lea and Flood, 2014). */
  private static long mixed(long bits) {
    long mixed = bits + 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }
}
