package dev.fairlead.media.worker;

import dev.fairlead.media.chunk.Budget;
import dev.fairlead.media.chunk.Chunk;
import dev.fairlead.media.plan.Timeline;
import dev.fairlead.media.store.UnitId;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of a job, decoded or being so. A chunk begins when the budget has room for all of it,
 * and stays until it is released.
 */
final class Chunks {
  private final Map<Long, Held> held = new ConcurrentHashMap<>();
  private final Set<Long> wanted = ConcurrentHashMap.newKeySet();
  private volatile @Nullable Timeline timeline;
  private volatile @Nullable Budget budget;
  private volatile @Nullable PumpHouse pumps;

  /** A chunk, and what was reserved for it. */
  private record Held(Chunk chunk, long reserved) {}

  Timeline timeline() {
    return Objects.requireNonNull(timeline, "nothing is decoded yet");
  }

  Chunk get(long index) {
    Held found = held.get(index);
    if (found == null) {
      throw new IllegalStateException("Chunk " + index + " is not here");
    }
    return found.chunk();
  }

  void hold(Chunk chunk, long reserved) {
    held.put(chunk.index(), new Held(chunk, reserved));
  }

  void hurry(long index) {
    wanted.add(index);
    PumpHouse running = pumps;
    if (running != null) {
      running.hurry(index);
    }
  }

  /** A lane begins a unit. */
  void begin(UnitId unit) {
    tell(backlog -> backlog.begin(unit));
  }

  private void tell(Consumer<Backlog> change) {
    PumpHouse running = pumps;
    if (running != null) {
      running.tell(change);
    }
  }

  void release(long index) {
    Held gone = held.remove(index);
    if (gone != null) {
      gone.chunk().close();
      tell(backlog -> backlog.release(index));
      Objects.requireNonNull(budget).give(gone.reserved());
    }
  }

  /** Decodes everything and reports each chunk; returns at the end. */
  void decode(Command.Decode command, Consumer<Report> reports) {
    timeline = command.timeline();
    Budget bytes = new Budget(command.room());
    budget = bytes;
    PumpHouse house = new PumpHouse(command, this, bytes, reports);
    pumps = house;
    wanted.forEach(house::hurry);
    reports.accept(house.run());
  }
}
