package dev.fairlead.media.worker;

import dev.fairlead.media.chunk.Budget;
import dev.fairlead.media.chunk.Chunk;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Report;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of a job, decoded or being so. A chunk begins when the budget has room for all of it,
 * and stays until it is released.
 */
final class HeldChunks {
  private final Map<Long, Held> held = new ConcurrentHashMap<>();
  private volatile Command.@Nullable Decode command;
  private volatile @Nullable Budget budget;
  private volatile @Nullable DecodePumps pumps;
  private Command.@Nullable Resize resized; // guarded by this

  /** A chunk, and what was reserved for it, in the memory of the host and of a card. */
  private record Held(Chunk chunk, long reserved, Optional<CardShare.Reserved> onCard) {}

  ChunkEncoding.Cell cell(long index) {
    Command.Decode decoding = Objects.requireNonNull(command, "nothing is decoded yet");
    return new ChunkEncoding.Cell(get(index), decoding.grid(), decoding.timeline());
  }

  Chunk get(long index) {
    Held found = held.get(index);
    if (found == null) {
      throw new IllegalStateException("Chunk " + index + " is not here");
    }
    return found.chunk();
  }

  void hold(Chunk chunk, long reserved, Optional<CardShare.Reserved> onCard) {
    held.put(chunk.index(), new Held(chunk, reserved, onCard));
  }

  /** More was taken for a chunk; if that has gone by now, it is given back. */
  void grow(long index, long bytes) {
    Held its =
        held.computeIfPresent(
            index, (any, now) -> new Held(now.chunk(), now.reserved() + bytes, now.onCard()));
    if (its == null) {
      Objects.requireNonNull(budget).give(bytes);
    }
  }

  /** Changes what decoding may use; the command to decode may still be on its way here. */
  synchronized void resize(Command.Resize size) {
    resized = size;
    DecodePumps running = pumps;
    if (running != null) {
      running.resize(size);
    }
  }

  /** A lane begins a unit. */
  void begin(UnitId unit) {
    change(backlog -> backlog.begin(unit));
  }

  private void change(Consumer<UnclaimedUnits> change) {
    DecodePumps running = pumps;
    if (running != null) {
      running.change(change);
    }
  }

  void release(long index) {
    Held gone = held.remove(index);
    if (gone != null) {
      gone.chunk().close();
      change(backlog -> backlog.release(index));
      Objects.requireNonNull(budget).give(gone.reserved());
      gone.onCard().ifPresent(CardShare.Reserved::give);
      Objects.requireNonNull(pumps).settle();
    }
  }

  /** Decodes everything and reports each chunk; returns at the end. */
  void decode(Command.Decode order, Consumer<Report> reports) {
    command = order;
    Budget bytes = new Budget(order.room());
    budget = bytes;
    DecodePumps house = new DecodePumps(order, this, bytes, reports);
    synchronized (this) {
      pumps = house;
      if (resized != null) {
        house.resize(resized);
      }
    }
    reports.accept(house.run());
  }
}
