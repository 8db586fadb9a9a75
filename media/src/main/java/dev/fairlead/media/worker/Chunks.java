package dev.fairlead.media.worker;

import dev.fairlead.media.av.Picture;
import dev.fairlead.media.chunk.Budget;
import dev.fairlead.media.chunk.Chunk;
import dev.fairlead.media.chunk.Chunker;
import dev.fairlead.media.chunk.Lead;
import dev.fairlead.media.decode.VideoPump;
import dev.fairlead.media.plan.FrameGate;
import dev.fairlead.media.plan.Timeline;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of a job, decoded or being so. A chunk begins when the budget has room for all of it,
 * and stays until it is released.
 */
final class Chunks {
  private final Lead lead = new Lead();
  private final Map<Long, Held> held = new ConcurrentHashMap<>();
  private volatile @Nullable Timeline timeline;
  private volatile @Nullable Budget budget;

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

  void hurry(long index) {
    lead.hurry(index);
  }

  void release(long index) {
    Held gone = held.remove(index);
    if (gone != null) {
      gone.chunk().close();
      Objects.requireNonNull(budget).give(gone.reserved());
    }
  }

  /** Decodes everything and reports each chunk; returns at the end. */
  void decode(Command.Decode command, Consumer<Report> reports) {
    timeline = command.timeline();
    Budget bytes = new Budget(command.budgetBytes());
    budget = bytes;
    try (Run run = new Run(command, bytes, reports)) {
      VideoPump.Tally tally =
          VideoPump.run(
              command.order(),
              run::add,
              () -> false,
              reason -> reports.accept(new Report.InSoftware(reason)));
      run.finish();
      reports.accept(
          new Report.Decoded(tally.frames(), tally.leadIn(), tally.damagedPackets(), bytes.peak()));
    } catch (RuntimeException | Error failure) {
      reports.accept(new Report.DecodeFailed(WorkerSession.failure(failure)));
    }
  }

  /** One pass over a source. */
  private final class Run implements AutoCloseable {
    private final Command.Decode command;
    private final Budget bytes;
    private final Consumer<Report> reports;
    private final Set<Long> finished;
    private final Chunker chunker;
    private final FrameGate gate;
    private long current = Long.MIN_VALUE;
    private long reserved;

    Run(Command.Decode command, Budget bytes, Consumer<Report> reports) {
      this.command = command;
      this.bytes = bytes;
      this.reports = reports;
      this.finished = command.finished();
      this.gate = FrameGate.of(command.grid(), command.order().timeBase(), command.maxFps());
      this.chunker = new Chunker(command.grid()::chunkOf, lead, this::begun);
    }

    void add(Picture picture) {
      try {
        sort(picture);
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        throw new CancellationException("Decoding was interrupted");
      }
    }

    private void sort(Picture picture) throws InterruptedException {
      if (!gate.keeps(picture.pts())) {
        picture.close();
        return;
      }
      long index = command.grid().chunkOf(picture.pts());
      if (finished.contains(index)) {
        try (picture) {
          chunker.next(picture.pts());
        }
        if (index != current) {
          current = index;
          reports.accept(new Report.Passed(index));
        }
        return;
      }
      if (index != current) {
        // The chunk before may be complete only now, and gives its pictures away first.
        chunker.next(picture.pts());
        current = index;
        reserve(command.grid().frames() * picture.bytes());
      }
      chunker.add(picture);
    }

    private void reserve(long estimate) throws InterruptedException {
      if (!bytes.reserve(estimate)) {
        throw new CancellationException("Decoding is not wanted any more");
      }
      reserved = estimate;
    }

    private void begun(Chunk chunk) {
      held.put(chunk.index(), new Held(chunk, reserved));
      reserved = 0;
      reports.accept(new Report.Ready(chunk.index()));
    }

    void finish() {
      chunker.finish(command.order().usualDuration());
    }

    @Override
    public void close() {
      chunker.close();
    }
  }
}
