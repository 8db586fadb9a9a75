package dev.fairlead.media.worker;

import dev.fairlead.media.av.Picture;
import dev.fairlead.media.chunk.Chunk;
import dev.fairlead.media.chunk.Chunker;
import dev.fairlead.media.chunk.NoRoom;
import dev.fairlead.media.chunk.ReadAhead;
import dev.fairlead.media.decode.VideoDecoding;
import dev.fairlead.media.inspect.UnreadableSource;
import dev.fairlead.media.plan.ChunkGrid;
import dev.fairlead.media.plan.FrameGate;
import dev.fairlead.media.plan.Timeline;
import dev.fairlead.media.settings.VideoOrder;
import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Report;
import dev.fairlead.media.worker.Spans.Span;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Decodes one span after another into chunks, and reports each. One thread decodes. */
final class SpanDecoder implements VideoDecoding.Sink, AutoCloseable {
  private static final long MOST_TICKS = 0xffff_ffffL;
  private static final double MICROS = 1e6;

  private final DecodePumps house;
  private final Command.Decode command;
  private final ChunkGrid grid;
  private final Set<Long> finished;
  private final ReadAhead lead = new ReadAhead();
  private final Chunker chunker;
  private final FrameGate gate;
  private final Optional<DecodingCards.Seat> on;
  private final CardShare card;
  private @Nullable Span span;
  private long current = Long.MIN_VALUE;
  private long last = Long.MIN_VALUE;

  /** What was taken for the current chunk, what its pictures take, and how many they are. */
  private long reserved;

  private long held;
  private int pictures;

  /** The last share for which the decoder was told to give back, and for which it has. */
  private long trimming;

  private volatile long trimmed;

  /** How often this has shown that it goes on. */
  private final AtomicLong signs = new AtomicLong();

  /** Whether this waits for room or readers, or sorts a picture, and not for the decoder. */
  private volatile boolean resting = true;

  SpanDecoder(DecodePumps house, Optional<DecodingCards.Seat> on) {
    this.house = house;
    this.command = house.command();
    this.grid = command.grid();
    this.finished = command.finished();
    this.on = on;
    this.card = new CardShare(on);
    this.trimming = house.shrunk();
    this.trimmed = trimming;
    this.gate = FrameGate.of(grid, command.order().timeBase(), command.maxFps());
    this.chunker =
        new Chunker(
            grid::chunkOf, lead, this::begun, chunk -> house.report(new Report.Whole(chunk)));
  }

  /** Where it decodes; empty for the processor. */
  Optional<DecodingCards.Seat> card() {
    return on;
  }

  void hungry(boolean now) {
    lead.hungry(now);
  }

  void whole(boolean now) {
    lead.whole(now);
  }

  /** For how many chunks in a row decoding was the bottleneck. */
  int pressedChunks() {
    return lead.pressed();
  }

  /** Decodes a span, and what follows it for as long as that is free. */
  VideoDecoding.Tally decode(Span first) {
    span = first;
    last = Long.MIN_VALUE;
    VideoOrder whole = command.order();
    long chunk = first.from();
    while (chunk < first.to() && finished.contains(chunk)) {
      pass(chunk++);
    }
    if (chunk == first.to()) {
      report(house.spans().done(first));
      return new VideoDecoding.Tally(0, 0, 0, 0, OptionalLong.empty());
    }
    VideoOrder part =
        whole.between(
            first.place() == 0 ? whole.from() : grid.startOf(chunk),
            first.isLast() ? whole.to() : grid.startOf(first.to()));
    VideoOrder order = on.map(seat -> part.on(seat.card())).orElse(part);
    resting = false;
    VideoDecoding.Tally tally = VideoDecoding.run(order, this, this::isStopped);
    resting = true;
    if (!house.isStopped()) {
      long next = tally.next().orElse(Long.MAX_VALUE);
      if (next < whole.to()) {
        checkApart(next);
        chunker.next(next);
      } else {
        chunker.finish(whole.usualDuration(), Timeline.step(whole.timeBase()));
      }
      report(tally.next().isPresent() ? house.spans().done(now()) : house.spans().ended(now()));
    }
    return tally;
  }

  /** Asked with every packet. */
  private boolean isStopped() {
    signs.incrementAndGet();
    return house.isStopped();
  }

  /** Goes up for as long as decoding goes on. */
  long signs() {
    return signs.get();
  }

  boolean isResting() {
    return resting;
  }

  private Span now() {
    return Objects.requireNonNull(span);
  }

  /** Goes on into the next span if it is free. */
  @Override
  public long end(long pts, long to) {
    long end = to;
    while (pts >= end) {
      Optional<Span> next = house.spans().takeAfter(now());
      if (next.isEmpty()) {
        return end;
      }
      long before = house.spans().done(now());
      span = next.get();
      end = now().isLast() ? command.order().to() : grid.startOf(now().to());
      report(before);
    }
    return end;
  }

  @Override
  public void notice(String what) {
    house.report(new Report.Noticed(what));
  }

  @Override
  public void missing(String what) {
    house.report(new Report.Missing(what));
  }

  @Override
  public boolean trims() {
    boolean now = trimming < house.shrunk() && house.bytes().isWithin();
    if (now) {
      trimming = house.shrunk();
    } else {
      trimmed = trimming;
    }
    return now;
  }

  /** The last share for which the decoder has given back what it does not use. */
  long trimmed() {
    return trimmed;
  }

  @Override
  public void repaired() {
    house.keepWhole();
  }

  private void report(long before) {
    house.report(new Report.Ordered(before));
  }

  @Override
  public void accept(Picture picture) {
    resting = true;
    try {
      sort(picture);
      signs.incrementAndGet();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new CancellationException("Decoding was interrupted");
    } finally {
      resting = false;
    }
  }

  private void sort(Picture picture) throws InterruptedException {
    if (!gate.keeps(picture.pts())) {
      picture.close();
      return;
    }
    checkApart(picture.pts());
    last = picture.pts();
    long index = grid.chunkOf(picture.pts());
    if (finished.contains(index)) {
      try (picture) {
        chunker.next(picture.pts());
      }
      if (index != current) {
        pass(index);
      }
      return;
    }
    if (index != current) {
      // The chunk before may be complete only now, and gives its pictures away first.
      chunker.next(picture.pts());
      current = index;
      reserve(picture);
    }
    Picture settled = card.settle(picture);
    count(settled);
    chunker.add(settled);
  }

  /** Files say how long a picture is shown in ticks, at least in one, and in 32 bits. */
  private void checkApart(long pts) {
    long ticks =
        last == Long.MIN_VALUE ? 1 : command.timeline().ticks(pts) - command.timeline().ticks(last);
    if (ticks < 1 || ticks > MOST_TICKS) {
      throw new UnreadableSource(
          command.order().path(),
          String.format(
              Locale.ROOT,
              "a picture is %s after the one before it, which is %s than files can express%s",
              apart(pts - last),
              ticks < 1 ? "less" : "more",
              ticks < 1 ? "; a limit of frames a second leaves out what comes too often" : ""));
    }
  }

  private String apart(long ticks) {
    double seconds = ticks * command.order().timeBase().value();
    return seconds < 1
        ? String.format(Locale.ROOT, "%.3f µs", seconds * MICROS)
        : String.format(Locale.ROOT, "%.0f s", seconds);
  }

  /** Every picture is counted before it is in its chunk. */
  private void count(Picture picture) {
    pictures++;
    held += picture.bytes();
    long more = held - reserved;
    if (more <= 0) {
      return;
    }
    if (!house.bytes().grow(more)) {
      picture.close();
      throw new NoRoom(current, pictures, held, house.bytes().room().bytes());
    }
    reserved = held;
    if (pictures > 1) {
      house.chunks().grow(current, more);
    }
  }

  private void pass(long chunk) {
    current = chunk;
    house.report(new Report.Passed(chunk));
    report(house.spans().reported(now(), chunk));
  }

  /**
   * Reserves what a chunk takes that has as many pictures as the one with most so far. In the
   * memory of the host as well if it stays on a card, for it may be wanted elsewhere at any time.
   */
  private void reserve(Picture first) throws InterruptedException {
    house.seen(pictures);
    long estimate = house.pictures() * first.bytes();
    // Always in this order, so that no two pumps wait for each other.
    card.begin(first.isOnDevice() ? estimate : 0);
    if (!house.bytes().hasRoom(estimate)) {
      lead.rested();
    }
    reserved = house.bytes().reserve(estimate);
    held = 0;
    pictures = 0;
  }

  private void begun(Chunk chunk) {
    house.chunks().hold(chunk, reserved, card.reserved());
    house.change(backlog -> backlog.add(chunk.index()));
    house.report(new Report.Ready(chunk.index(), card.reserved().map(CardShare.Reserved::onCard)));
    report(house.spans().reported(now(), chunk.index()));
    house.begun(this, reserved);
  }

  /** Gives up a chunk that did not become complete. */
  @Override
  public void close() {
    chunker.close();
  }
}
