package dev.fairlead.cli;

import dev.fairlead.simulator.fleet.Mishap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** When simulated devices are not there, or do not answer, as the mishaps of a scenario say. */
final class Absences {
  /** A device that takes no work for a while. */
  record Absence(int device, double from, double to, String why) {}

  private final List<Absence> all = new ArrayList<>();
  private final Map<Integer, Mishap> open = new HashMap<>();
  private final List<Mishap> mishaps;
  private final double end;

  private Absences(List<Mishap> mishaps, double end) {
    this.mishaps = mishaps;
    this.end = end;
  }

  static List<Absence> of(List<Mishap> mishaps, double end) {
    Absences absences = new Absences(mishaps, end);
    mishaps.stream()
        .sorted(Comparator.comparingDouble(Mishap::seconds))
        .filter(mishap -> mishap.seconds() < end)
        .forEach(absences::add);
    absences.open.forEach((device, since) -> absences.close(since, end));
    return List.copyOf(absences.all);
  }

  private void add(Mishap mishap) {
    switch (mishap.kind()) {
      case STOP, LOST, HANG, LEAVE -> open.putIfAbsent(mishap.device(), mishap);
      case BACK -> {
        Mishap since = open.remove(mishap.device());
        if (since != null) {
          close(since, mishap.seconds());
        }
      }
      case JOIN -> all.add(new Absence(mishap.device(), 0, mishap.seconds(), "is not there yet"));
      case FLAP -> {
        double until = backAfter(mishap);
        for (double from = mishap.seconds(); from < until; from += 2 * mishap.amount()) {
          close(mishap, from, Math.min(until, from + mishap.amount()));
        }
      }
      case SLOW -> {}
    }
  }

  private double backAfter(Mishap mishap) {
    return mishaps.stream()
        .filter(later -> later.kind() == Mishap.Kind.BACK && later.device() == mishap.device())
        .mapToDouble(Mishap::seconds)
        .filter(seconds -> seconds > mishap.seconds() && seconds < end)
        .min()
        .orElse(end);
  }

  private void close(Mishap since, double to) {
    close(since, since.seconds(), to);
  }

  private void close(Mishap since, double from, double to) {
    all.add(new Absence(since.device(), from, to, why(since.kind())));
  }

  private static String why(Mishap.Kind kind) {
    return switch (kind) {
      case LOST -> "is lost";
      case LEAVE -> "has left";
      case HANG -> "hangs";
      case STOP, FLAP -> "does not answer";
      case BACK, JOIN, SLOW -> "";
    };
  }
}
