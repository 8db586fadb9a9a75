package dev.fairlead.media.job;

import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.worker.Chaos;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Faults that are made on purpose, so that people can rehearse.
 *
 * <p>A plan is a list of {@code KIND@WHEN[xTIMES]} with commas between, and {@code seed=N} for the
 * random ones. The kinds are throw, hang, lie, memory, lost and crash. When is a chunk's number
 * ({@code crash@3}), a rung and a chunk ({@code throw@720p/3}), or a probability ({@code
 * throw@10%}). A fault at a chunk is made once, or as often as TIMES says; {@code x*} is always.
 */
public final class ChaosPlan {
  private static final ChaosPlan NONE = new ChaosPlan(List.of(), 0);

  private final List<Fault> faults;
  private final Random random;

  private ChaosPlan(List<Fault> faults, long seed) {
    this.faults = faults;
    this.random = new Random(seed);
  }

  private static final class Fault {
    private final Chaos kind;
    private final String rung;
    private final long chunk;
    private final double probability;
    private int left;

    Fault(Chaos kind, String rung, long chunk, double probability, int left) {
      this.kind = kind;
      this.rung = rung;
      this.chunk = chunk;
      this.probability = probability;
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
            ("\"%s\" is no fault; write throw, hang, lie, memory, lost or crash, then @ and a chunk"
                    + " (3), a rung and a chunk (720p/3) or a probability (10%%), then perhaps x and"
                    + " how often (x2, x*); or seed=N")
                .formatted(part),
            malformed);
      }
    }
    return new ChaosPlan(faults, seed);
  }

  private static Fault fault(String text) {
    String[] parts = text.split("@", 2);
    if (parts.length != 2) {
      throw new IllegalArgumentException(text);
    }
    Chaos kind =
        switch (parts[0]) {
          case "throw" -> Chaos.THROW;
          case "hang" -> Chaos.HANG;
          case "lie" -> Chaos.LIE;
          case "memory" -> Chaos.OUT_OF_MEMORY;
          case "lost" -> Chaos.LOST;
          case "crash" -> Chaos.CRASH;
          default -> throw new IllegalArgumentException(text);
        };
    String when = parts[1];
    if (when.endsWith("%")) {
      double percent = Double.parseDouble(when.substring(0, when.length() - 1));
      if (!(percent >= 0 && percent <= 100)) {
        throw new IllegalArgumentException(text);
      }
      return new Fault(kind, "", -1, percent / 100, Integer.MAX_VALUE);
    }
    int times = 1;
    int mark = when.indexOf('x');
    if (mark >= 0) {
      String count = when.substring(mark + 1);
      times = count.equals("*") ? Integer.MAX_VALUE : Integer.parseInt(count);
      when = when.substring(0, mark);
    }
    int slash = when.indexOf('/');
    String rung = slash < 0 ? "" : when.substring(0, slash);
    return new Fault(kind, rung, Long.parseLong(when.substring(slash + 1)), 0, times);
  }

  /** The fault to be made now. */
  synchronized Chaos at(UnitId unit) {
    for (Fault fault : faults) {
      boolean here =
          fault.chunk < 0
              ? random.nextDouble() < fault.probability
              : fault.chunk == unit.chunk()
                  && (fault.rung.isEmpty() || fault.rung.equals(unit.rung()));
      if (here && fault.left > 0) {
        fault.left -= fault.left == Integer.MAX_VALUE ? 0 : 1;
        return fault.kind;
      }
    }
    return Chaos.NONE;
  }
}
