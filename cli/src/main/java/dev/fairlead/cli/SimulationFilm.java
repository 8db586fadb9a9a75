package dev.fairlead.cli;

import dev.fairlead.simulator.engine.Observer;
import java.util.ArrayList;
import java.util.List;

/**
 * What can be shown of a simulation, however long: what the first devices did, up to a number of
 * stays, and how many waited, thinned out as time goes on.
 */
final class SimulationFilm implements Observer {
  static final int DEVICES = 16;
  private static final int MOST_STAYS = 3_000;
  private static final int MOST_SAMPLES = 1_000;

  /** A stay, and how it ended. */
  record Shown(Stay stay, Ending ending) {}

  /** How many waited when. */
  record Sample(double seconds, int waiting) {}

  private final List<Shown> stays = new ArrayList<>();
  private List<Sample> samples = new ArrayList<>();
  private long every = 1_000_000;
  private long nextSample = 1;
  private int most;

  @Override
  public void left(Stay stay, Ending ending) {
    if (stay.device() < DEVICES && stays.size() < MOST_STAYS) {
      stays.add(new Shown(stay, ending));
    }
  }

  @Override
  public void waiting(long now, int count) {
    most = Math.max(most, count);
    if (now < nextSample) {
      return;
    }
    samples.add(new Sample(now / 1e9, most));
    most = count;
    nextSample = now + every;
    if (samples.size() > MOST_SAMPLES) {
      every *= 2;
      List<Sample> half = new ArrayList<>();
      for (int i = 0; i < samples.size(); i += 2) {
        half.add(samples.get(i));
      }
      samples = half;
    }
  }

  List<Shown> stays() {
    return List.copyOf(stays);
  }

  List<Sample> samples() {
    return List.copyOf(samples);
  }

  /** Until when all stays of the shown devices are there. */
  double shownSeconds() {
    return stays.stream().mapToDouble(each -> each.stay().to() / 1e9).max().orElse(0);
  }
}
