package dev.fairlead.simulator.rule;

import dev.fairlead.policy.Rank;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/** The indexes of some of the devices by the ranks that policies have asked for. */
final class RankIndexes {
  private final PoolView view;
  private final IntPredicate members;
  private final List<RankIndex> all = new ArrayList<>();

  RankIndexes(PoolView view, IntPredicate members) {
    this.view = view;
    this.members = members;
  }

  /** Something has happened to the device. */
  void refresh(int device) {
    for (int i = 0; i < all.size(); i++) {
      all.get(i).refresh(device, members.test(device));
    }
  }

  /** Kept from its first use on. */
  RankIndex by(Rank.Steady rank) {
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).isBy(rank)) {
        return all.get(i);
      }
    }
    RankIndex index = new RankIndex(view, rank);
    for (int device = 0; device < view.size(); device++) {
      index.refresh(device, members.test(device));
    }
    all.add(index);
    return index;
  }
}
