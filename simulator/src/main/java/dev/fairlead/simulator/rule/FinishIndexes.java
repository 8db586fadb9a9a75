package dev.fairlead.simulator.rule;

import dev.fairlead.policy.Rank;
import dev.fairlead.simulator.engine.Engine;
import dev.fairlead.simulator.engine.Knowledge;
import dev.fairlead.simulator.fleet.DeviceSpec;
import org.jspecify.annotations.Nullable;

/** The indexes of devices by finish, one for each kind of work that was asked for. */
final class FinishIndexes {
  private final PoolView view;
  private final Engine engine;
  private final Knowledge knowledge;
  private final boolean limited;
  private final @Nullable FinishIndex[] kinds;

  FinishIndexes(PoolView view, Engine engine) {
    this.view = view;
    this.engine = engine;
    this.knowledge = engine.knowledge();
    this.limited = engine.scenario().fleet().devices().stream().anyMatch(DeviceSpec::isLimited);
    this.kinds = new FinishIndex[engine.scenario().workload().kinds().size()];
  }

  /** What is to be done on the device has changed, or is more than it seemed. */
  void refresh(int device) {
    for (int kind = 0; kind < kinds.length; kind++) {
      FinishIndex index = kinds[kind];
      if (index != null) {
        enter(device, kind, index);
      }
    }
  }

  private void enter(int device, int kind, FinishIndex index) {
    FinishIndex.Line line = view.line(device);
    if (line == null) {
      index.remove(device);
      return;
    }
    double fixed = knowledge.seconds(kind, device, 0);
    index.put(
        device,
        engine.now() / 1e9,
        line,
        new FinishIndex.Cost(fixed, knowledge.seconds(kind, device, 1) - fixed));
  }

  /** Kept from its first use on. */
  FinishIndex of(int kind, Rank.Finish rank) {
    FinishIndex index = kinds[kind];
    if (index == null) {
      index = new FinishIndex(view, rank, limited);
      kinds[kind] = index;
      for (int device = 0; device < view.size(); device++) {
        enter(device, kind, index);
      }
    }
    return index;
  }
}
