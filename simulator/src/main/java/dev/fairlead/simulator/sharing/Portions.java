package dev.fairlead.simulator.sharing;

import dev.fairlead.range.Range;
import dev.fairlead.range.RangeShares;
import dev.fairlead.range.Splitter;
import dev.fairlead.range.Unit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which units of a range each worker does. */
interface Portions {
  /** The next units that are the worker's own; null if it has none left. */
  @Nullable Range own(int worker, double nanosPerUnit);

  /** Units that were another's; null if it may have none. */
  @Nullable Range others(int worker);

  /** Each does what a splitter gave it, portion by portion; nobody helps. */
  static Portions split(Splitter splitter, int units, int workers) {
    List<Deque<Range>> homes = new ArrayList<>();
    for (int worker = 0; worker < workers; worker++) {
      homes.add(new ArrayDeque<>());
    }
    for (Unit portion : splitter.split(units, workers)) {
      homes.get(portion.home()).add(portion.range());
    }
    return new Portions() {
      @Override
      public @Nullable Range own(int worker, double nanosPerUnit) {
        return homes.get(worker).poll();
      }

      @Override
      public @Nullable Range others(int worker) {
        return null;
      }
    };
  }

  /** As {@code Dispatcher.overRange} does it. */
  static Portions stolen(int units, List<Double> speeds) {
    RangeShares shares = RangeShares.of(units, speeds);
    return new Portions() {
      @Override
      public @Nullable Range own(int worker, double nanosPerUnit) {
        return shares.take(worker, shares.batch(worker, nanosPerUnit));
      }

      @Override
      public @Nullable Range others(int worker) {
        return shares.steal(worker);
      }
    };
  }
}
