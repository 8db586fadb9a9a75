package dev.fairlead.media.supervise;

import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Failure;
import dev.fairlead.media.wire.Report;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/**
 * Workers without processes, which keep books: what each was told and asked, and that each was
 * closed. What is asked waits until the test answers it or the worker dies.
 */
final class TestingWorkers implements WorkerStart {
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private final List<TestingWorker> started = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger begun = new AtomicInteger();
  private volatile CountDownLatch gate = new CountDownLatch(0);
  private volatile boolean refusing;

  /** Further starts take until the gate is opened. */
  CountDownLatch slowStart() {
    gate = new CountDownLatch(1);
    return gate;
  }

  /** Further starts fail. */
  void refuse() {
    refusing = true;
  }

  @Override
  public Worker start(Consumer<Report> reports) throws IOException {
    begun.incrementAndGet();
    if (refusing) {
      throw new IOException("no process can be had");
    }
    try {
      if (!gate.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("nobody opens the gate");
      }
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
    TestingWorker fresh = new TestingWorker(reports);
    started.add(fresh);
    return fresh;
  }

  int started() {
    return started.size();
  }

  /** How many starts have begun. */
  int begun() {
    return begun.get();
  }

  /** The n-th worker, once it is there. */
  TestingWorker worker(int number) {
    until("worker %d is started".formatted(number), () -> started.size() > number);
    return started.get(number);
  }

  boolean allAreClosed() {
    return started.stream().allMatch(worker -> worker.closed);
  }

  static void until(String what, java.util.function.BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("Did not come about: " + what);
      }
      Thread.onSpinWait();
    }
  }

  /** One worker. */
  static final class TestingWorker implements Worker {
    private record Asked(Command command, CompletableFuture<Report.Answer> answer) {}

    private final Consumer<Report> reports;
    private final AtomicLong numbers = new AtomicLong();
    private final Map<Long, Asked> open = new ConcurrentHashMap<>();
    private final List<Command> told = Collections.synchronizedList(new ArrayList<>());
    private volatile boolean dead;
    private volatile boolean closed;

    private TestingWorker(Consumer<Report> reports) {
      this.reports = reports;
    }

    @Override
    public Report.Answer ask(LongFunction<Command> command, Duration patience)
        throws InterruptedException, TimeoutException {
      long number = numbers.incrementAndGet();
      Asked asked = new Asked(command.apply(number), new CompletableFuture<>());
      open.put(number, asked);
      if (dead) {
        asked.answer.completeExceptionally(crash());
      }
      try {
        return asked.answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      } catch (ExecutionException failed) {
        if (failed.getCause() instanceof FailedException known) {
          throw known;
        }
        if (failed.getCause() instanceof TimeoutException late) {
          throw late;
        }
        throw new AssertionError(failed.getCause());
      } finally {
        open.remove(number);
      }
    }

    private static FailedException crash() {
      return new FailedException(new Failure(Failure.Kind.CRASHED, "it died"));
    }

    int open() {
      return open.size();
    }

    /** What is asked now, in no order. */
    List<Command> asked() {
      return open.values().stream().map(Asked::command).toList();
    }

    /** Answers all that is asked now, and nothing that follows from an answer. */
    void answer() {
      Map<Long, Asked> now = Map.copyOf(open);
      now.forEach(
          (number, asked) -> asked.answer.complete(new Report.ReadSubtitles(number, List.of())));
    }

    /** Gives no sign of progress for longer than anybody has patience. */
    void hang() {
      open.values().forEach(asked -> asked.answer.completeExceptionally(new TimeoutException()));
    }

    /** Ends as a process does that crashes. */
    void die() {
      if (!dead) {
        dead = true;
        open.values().forEach(asked -> asked.answer.completeExceptionally(crash()));
        reports.accept(new Report.DecodeFailed(new Failure(Failure.Kind.CRASHED, "it died")));
      }
    }

    void report(Report report) {
      reports.accept(report);
    }

    List<Command> told() {
      return List.copyOf(told);
    }

    @Override
    public void send(Command command) {
      told.add(command);
    }

    /** A process that is killed reports its end on another thread. */
    @Override
    public void kill() {
      Thread.ofVirtual().start(this::die);
    }

    @Override
    public void close() {
      dead = true;
      closed = true;
    }
  }
}
