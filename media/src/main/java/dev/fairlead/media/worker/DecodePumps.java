package dev.fairlead.media.worker;

import dev.fairlead.media.chunk.Budget;
import dev.fairlead.media.decode.HardwareFailed;
import dev.fairlead.media.decode.VideoDecoding;
import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Failure;
import dev.fairlead.media.wire.Report;
import dev.fairlead.media.worker.Spans.Span;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The pumps that decode a source, each on spans of its own. There is one, which goes through all of
 * them, until it is the bottleneck: then there are more, each on the first span that is free. Where
 * several cards decode, there is one for each from the start.
 *
 * <p>A pump goes on into the next span without a seam if that is free. If not, it takes another, or
 * ends, unless it is the last one. So every span is decoded, and by one pump only.
 *
 * <p>No thread waits for ever. Every chunk that has begun is reported, can be encoded on any lane,
 * and then gives its bytes back. A pump waits for bytes between two chunks only, never with a chunk
 * that is not complete; and for readers only while they have pictures to read.
 *
 * <p>What all of this may use changes while it runs. Bytes beyond a smaller share are given back as
 * chunks are released, and a pump too many ends with its span; once no more is used than may be,
 * that is reported.
 */
final class DecodePumps {
  /**
   * A pump is the bottleneck if its readers have waited in so many chunks in a row: in more than
   * there is room for, since at first all lanes wait, and a pump that is fast fills the room.
   */
  private static final int PRESSED_LEAST = 3;

  private static final int PRESSED_MOST = 12;
  private static final long SIGN_MILLIS = 500;

  private final Command.Decode command;
  private final HeldChunks chunks;
  private final Budget bytes;
  private final DecodingCards cards;
  private final Consumer<Report> reports;
  private final Spans spans;
  private volatile boolean stopped;

  /** The last share that had room for less than the one before. */
  private volatile long shrunk;

  // Guarded by this.
  private final Map<SpanDecoder, Thread> running = new HashMap<>();
  private final Map<SpanDecoder, Long> signs = new HashMap<>();
  private boolean splits = true;
  private int most;
  private boolean whole;
  private long share;
  private boolean within;
  private int started;
  private final UnclaimedUnits backlog;

  /** How many pictures the chunk has that has most; what the source says at first. */
  private final AtomicInteger pictures;

  /** How many chunks were begun since there are so many pumps. */
  private int begunSince;

  private long frames;
  private long leadIn;
  private long damaged;
  private long concealed;
  private @Nullable Throwable failure;

  DecodePumps(Command.Decode command, HeldChunks chunks, Budget bytes, Consumer<Report> reports) {
    this.command = command;
    this.chunks = chunks;
    this.bytes = bytes;
    this.cards = new DecodingCards(command);
    this.reports = reports;
    this.most = command.pumps().most();
    this.whole = command.whole();
    this.share = command.share();
    this.pictures = new AtomicInteger(command.pictures());
    this.backlog = new UnclaimedUnits(command.rungs(), command.done());
    long first = Math.max(0, command.grid().chunkOf(command.order().from()));
    this.spans = new Spans(first, command.chunks(), command.pumps().spanChunks());
  }

  Command.Decode command() {
    return command;
  }

  Spans spans() {
    return spans;
  }

  Budget bytes() {
    return bytes;
  }

  HeldChunks chunks() {
    return chunks;
  }

  /** How many pictures a chunk is expected to have. */
  int pictures() {
    return pictures.get();
  }

  /** A chunk had so many pictures. */
  void seen(int count) {
    pictures.accumulateAndGet(count, Math::max);
  }

  boolean isStopped() {
    return stopped;
  }

  void report(Report report) {
    reports.accept(report);
  }

  /** Decodes everything; answers how that ended. */
  Report run() {
    synchronized (this) {
      for (int pump = 0; pump < least(); pump++) {
        spans.take().ifPresent(this::start);
      }
      while (!running.isEmpty()) {
        try {
          settle();
          wait(SIGN_MILLIS);
          sign();
        } catch (InterruptedException end) {
          fail(new CancellationException("Decoding was interrupted"));
        }
      }
      settle();
      return failure == null
          ? new Report.Decoded(frames, leadIn, damaged, concealed, bytes.peak())
          : new Report.DecodeFailed(failure(failure));
    }
  }

  /** What decoding on the processor cannot do is the source's fault. */
  private Failure failure(Throwable thrown) {
    Failure known = WorkerSession.failure(thrown);
    Path source = command.order().path();
    return switch (known.kind()) {
      case DEVICE ->
          new Failure(
              Failure.Kind.UNREADABLE,
              "%s cannot be decoded: %s".formatted(source, known.reason()));
      case NO_ROOM, OUT_OF_MEMORY ->
          new Failure(Failure.Kind.NO_ROOM, "%s: %s".formatted(source, known.reason()));
      case UNREADABLE, WORK, BUSY, LOST, NO_SPACE, IO, CANCELLED, CRASHED -> known;
    };
  }

  /** Passes on that every pump goes on, if so. */
  private void sign() {
    boolean all = true;
    for (SpanDecoder pump : running.keySet()) {
      long now = pump.signs();
      Long before = signs.put(pump, now);
      all &= pump.isResting() || before == null || before != now;
    }
    if (all && !running.isEmpty()) {
      report(new Report.Decoding());
    }
  }

  private void start(Span span) {
    SpanDecoder pump = new SpanDecoder(this, cards.take());
    pump.hungry(backlog.isEmpty());
    pump.whole(whole);
    Thread thread =
        Thread.ofPlatform().daemon().name("pump " + started++).unstarted(() -> work(pump, span));
    running.put(pump, thread);
    thread.start();
  }

  /** Something about the work of the lanes has changed. */
  synchronized void change(Consumer<UnclaimedUnits> change) {
    boolean before = backlog.isEmpty();
    change.accept(backlog);
    if (backlog.isEmpty() != before) {
      running.keySet().forEach(pump -> pump.hungry(!before));
    }
  }

  private void work(SpanDecoder pump, Span first) {
    try (pump) {
      Optional<Span> span = Optional.of(first);
      while (span.isPresent()) {
        VideoDecoding.Tally tally = pump.decode(span.get());
        span = stopped ? Optional.empty() : next(pump, tally);
      }
    } catch (RuntimeException | Error thrown) {
      fail(thrown);
    } finally {
      end(pump);
    }
  }

  private synchronized void fail(Throwable thrown) {
    if (thrown instanceof HardwareFailed hardware) {
      report(new Report.CardFailed(hardware.card()));
    }
    if (failure == null) {
      failure = thrown;
    }
    stopped = true;
    bytes.close();
    cards.close();
    running.values().forEach(Thread::interrupt);
  }

  private synchronized void end(SpanDecoder pump) {
    pump.card().ifPresent(cards::give);
    running.remove(pump);
    notifyAll();
  }

  /** What a pump does next; it ends if that is nothing. */
  private synchronized Optional<Span> next(SpanDecoder pump, VideoDecoding.Tally tally) {
    frames += tally.frames();
    leadIn += tally.leadIn();
    damaged += tally.damagedPackets();
    concealed += tally.concealed();
    // Where keyframes are rare, pumps would decode the same frames again and again.
    splits = splits && tally.leadIn() <= tally.frames();
    boolean useful = running.size() <= least() || (splits && pump.pressedChunks() > 0);
    boolean goesOn = running.size() == 1 || (useful && running.size() <= most);
    Optional<Span> next = goesOn ? spans.take() : Optional.empty();
    if (next.isEmpty()) {
      running.remove(pump);
    }
    return next;
  }

  /** A pump has begun a chunk of so many bytes. */
  void begun(SpanDecoder pump, long chunkBytes) {
    int enough = Math.clamp(bytes.room().chunks(chunkBytes) + 1, PRESSED_LEAST, PRESSED_MOST);
    int pumps;
    synchronized (this) {
      begunSince++;
      // One more may have been enough; that is seen when every pump has begun a few chunks.
      if (pump.pressedChunks() < enough
          || begunSince < PRESSED_LEAST * running.size()
          || !splits
          || stopped
          || running.size() >= most) {
        return;
      }
      Optional<Span> span = spans.take();
      if (span.isEmpty()) {
        return;
      }
      begunSince = 0;
      start(span.get());
      pumps = running.size();
    }
    report(new Report.Pumping(pumps));
  }

  /** Times are repaired by the picture before: no further pumps begin in the midst of that. */
  synchronized void keepWhole() {
    splits = false;
  }

  /** How many there are from the start. */
  private int least() {
    return Math.min(command.pumps().least(), most);
  }

  /** Changes what may be used; an older share than the one of the moment is passed over. */
  synchronized void resize(Command.Resize size) {
    if (size.share() > share) {
      share = size.share();
      most = size.pumps();
      if (size.room().bytes() < bytes.room().bytes()) {
        shrunk = share;
      }
      bytes.resize(size.room());
      whole = size.whole();
      running.keySet().forEach(pump -> pump.whole(whole));
      within = false;
      settle();
    }
  }

  long shrunk() {
    return shrunk;
  }

  /** Reports once for each share that no more is used. */
  synchronized void settle() {
    if (!within
        && bytes.isWithin()
        && running.size() <= most
        && running.keySet().stream().allMatch(pump -> pump.trimmed() >= shrunk)) {
      within = true;
      report(new Report.Within(share));
    }
  }
}
