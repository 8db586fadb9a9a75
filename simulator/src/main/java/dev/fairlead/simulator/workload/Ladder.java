package dev.fairlead.simulator.workload;

import java.util.List;

/**
 * One video as rungs × chunks. A chunk costs as much more or less than usual on all rungs as its
 * pictures are hard, and a little more or less on each. All chunks wait from the beginning.
 *
 * @param chunkSeconds what a chunk of the first rung costs on a device of speed 1
 * @param hardness how much chunks differ: the deviation of the logarithm
 */
public record Ladder(List<Rung> rungs, int chunks, double chunkSeconds, double hardness)
    implements Workload {
  private static final double SINGLE_NOISE = 0.05;
  private static final int MOST_UNITS = 10_000_000;

  /** A rung: its share of the pixels of the first, and what it costs of the first's seconds. */
  public record Rung(String name, double size, double cost) {}

  /**
   * What AV1 rungs cost beside each other on CPU lanes: a smaller rung costs more than its pixels
   * say.
   */
  public static final List<Rung> USUAL_RUNGS =
      List.of(
          new Rung("1080p", 1, 1),
          new Rung("720p", 0.444, 0.48),
          new Rung("480p", 0.198, 0.23),
          new Rung("360p", 0.111, 0.14),
          new Rung("240p", 0.049, 0.07));

  public Ladder {
    rungs = List.copyOf(rungs);
    if (rungs.isEmpty() || chunks < 1 || (long) chunks * rungs.size() > MOST_UNITS) {
      throw new IllegalArgumentException(
          "a ladder has 1 to %d units: %d rungs of %d chunks"
              .formatted(MOST_UNITS, rungs.size(), chunks));
    }
    if (!(chunkSeconds > 0) || !(hardness >= 0)) {
      throw new IllegalArgumentException("chunkSeconds and hardness are not positive");
    }
  }

  public static Ladder of(int rungs, int chunks) {
    if (rungs < 1 || rungs > USUAL_RUNGS.size()) {
      throw new IllegalArgumentException(
          "rungs is not between 1 and %d: %d".formatted(USUAL_RUNGS.size(), rungs));
    }
    return new Ladder(USUAL_RUNGS.subList(0, rungs), chunks, 4, 0.2);
  }

  @Override
  public String name() {
    return "ladder";
  }

  @Override
  public List<String> kinds() {
    return rungs.stream().map(Rung::name).toList();
  }

  @Override
  public boolean isLadder() {
    return true;
  }

  @Override
  public Stream open(long seed, double capacity) {
    Draws pictures = new Draws(seed, 4);
    Draws single = new Draws(seed, 5);
    return new Stream() {
      private int chunk = -1;
      private int rung = rungs.size() - 1;
      private double hard;

      @Override
      public boolean next(Arrival arrival) {
        rung++;
        if (rung == rungs.size()) {
          rung = 0;
          chunk++;
          hard = pictures.lognormal(hardness);
        }
        if (chunk == chunks) {
          return false;
        }
        arrival.seconds = 0;
        arrival.group = rung;
        arrival.order = chunk;
        arrival.size = rungs.get(rung).size;
        arrival.cost = rungs.get(rung).cost * chunkSeconds * hard * single.lognormal(SINGLE_NOISE);
        arrival.memoryBytes = 0;
        return true;
      }
    };
  }
}
