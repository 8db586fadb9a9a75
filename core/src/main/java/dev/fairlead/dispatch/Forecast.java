package dev.fairlead.dispatch;

import dev.fairlead.policy.Work;
import dev.fairlead.stats.CostModel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Predicted seconds of work on each device: what the pool has learned where it has, else what the
 * device's weight suggests, on the scale of those that are learned. Owned by the foreman.
 */
final class Forecast {
  /** Seconds per unit of size for each device; {@code learned} if any of them was measured. */
  private static final class Costs {
    private final double[] perSize;
    private final boolean learned;

    Costs(double[] perSize, boolean learned) {
      this.perSize = perSize;
      this.learned = learned;
    }
  }

  private final CostModel model;
  private final List<Post> posts;
  private final Map<String, Costs> kinds = new HashMap<>();

  Forecast(CostModel model, List<Post> posts) {
    this.model = model;
    this.posts = posts;
  }

  /** What was read from the model is old. */
  void forget() {
    kinds.clear();
  }

  double seconds(Work work, Post post) {
    return work.size() * of(work.kind()).perSize[post.number()];
  }

  /** Whether the seconds are seconds, not only weights. */
  boolean isLearned(Work work) {
    return of(work.kind()).learned;
  }

  private Costs of(String kind) {
    return kinds.computeIfAbsent(kind, this::read);
  }

  private Costs read(String kind) {
    double[] perSize = new double[posts.size()];
    double scales = 0;
    int learned = 0;
    for (Post post : posts) {
      double seconds = kind.isEmpty() ? Double.NaN : model.seconds(post.id(), kind, 1);
      perSize[post.number()] = seconds;
      if (!Double.isNaN(seconds)) {
        scales += seconds * post.device().weight();
        learned++;
      }
    }
    double scale = learned == 0 ? 1 : scales / learned;
    for (Post post : posts) {
      if (Double.isNaN(perSize[post.number()])) {
        perSize[post.number()] = scale / post.device().weight();
      }
    }
    return new Costs(perSize, learned > 0);
  }
}
