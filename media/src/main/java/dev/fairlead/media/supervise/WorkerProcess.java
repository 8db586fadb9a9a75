package dev.fairlead.media.supervise;

import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Failure;
import dev.fairlead.media.wire.Report;
import dev.fairlead.media.wire.Wire;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A worker as its parent sees it: a process that answers commands, and that can die at any moment.
 * What it has not answered by then fails with {@link Failure.Kind#CRASHED}.
 */
public final class WorkerProcess implements Worker {
  /** The class that a worker's JVM starts: known by name only, since it loads codecs. */
  static final String WORKER = "dev.fairlead.media.worker.WorkerMain";

  private static final Duration TO_CONNECT = Duration.ofSeconds(30);
  private static final Duration TO_END = WorkerCache.toEnd();
  private static final Duration TO_LET_GO = Duration.ofSeconds(5);
  private static final int TRIES = 3;

  private static final class EarlyEnd extends IOException {
    private static final long serialVersionUID = 1;

    EarlyEnd(String message) {
      super(message);
    }
  }

  private final Process process;
  private final Wire<Report, Command> wire;
  private final Path log;
  private final Consumer<Report> reports;
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicLong signs = new AtomicLong();
  private final Map<Long, PendingAnswer> pending = new ConcurrentHashMap<>();
  private volatile @Nullable Failure ended;
  private volatile boolean closing;

  private WorkerProcess(
      Process process, Wire<Report, Command> wire, Path log, Consumer<Report> reports) {
    this.process = process;
    this.wire = wire;
    this.log = log;
    this.reports = reports;
  }

  /** Starts a worker with the usual codecs. */
  public static WorkerProcess start(Path log, Confinement confinement, Consumer<Report> reports)
      throws IOException {
    return start(Codecs.usual(), log, confinement, reports);
  }

  /**
   * Starts a worker, on a thread of its own, since the caller may be interrupted meanwhile.
   *
   * @param codecs what it loads
   * @param log where native code prints to
   * @param confinement what it may touch
   * @param reports takes everything that is no answer, on one thread
   */
  public static WorkerProcess start(
      Codecs codecs, Path log, Confinement confinement, Consumer<Report> reports)
      throws IOException {
    CompletableFuture<WorkerProcess> started = new CompletableFuture<>();
    Thread.ofVirtual()
        .name("worker start")
        .start(() -> {
          try {
            started.complete(startAgain(codecs, log, confinement, reports));
          } catch (Throwable failure) {
            started.completeExceptionally(failure);
          }
        });
    try {
      return started.join();
    } catch (CompletionException failed) {
      if (failed.getCause() instanceof IOException io) {
        throw io;
      }
      throw failed;
    }
  }

  /** One that dies before it has begun is no reason to give up. */
  private static WorkerProcess startAgain(
      Codecs codecs, Path log, Confinement confinement, Consumer<Report> reports)
      throws IOException {
    for (int tries = TRIES; ; tries--) {
      try {
        return startHere(codecs, log, confinement, reports);
      } catch (EarlyEnd early) {
        if (tries == 1) {
          throw early;
        }
      }
    }
  }

  private static WorkerProcess startHere(
      Codecs codecs, Path log, Confinement confinement, Consumer<Report> reports)
      throws IOException {
    Path cache = CodecCache.ready(codecs, log);
    Path directory = Files.createTempDirectory("fairlead");
    Path socket = directory.resolve("worker");
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      Process process =
          WorkerJvm.start(List.of(WORKER, socket.toString()), codecs, log, cache, confinement);
      SocketChannel channel = accept(server, process, log);
      WorkerJvm.leavesTheProcessorToThis(process); // also threads that were quicker than this
      WorkerProcess worker =
          new WorkerProcess(
              process, new Wire<>(channel, Report.class, process::destroyForcibly), log, reports);
      Thread.ofVirtual().name("worker reports").start(worker::listen);
      return worker;
    } finally {
      Files.deleteIfExists(socket);
      Files.deleteIfExists(directory);
    }
  }

  private static SocketChannel accept(ServerSocketChannel server, Process process, Path log)
      throws IOException {
    server.configureBlocking(false);
    long end = System.nanoTime() + TO_CONNECT.toNanos();
    try {
      while (System.nanoTime() - end < 0) {
        SocketChannel channel = server.accept();
        if (channel != null) {
          channel.configureBlocking(true);
          return channel;
        }
        if (process.waitFor(2, TimeUnit.MILLISECONDS)) {
          throw new EarlyEnd(
              "The worker ended with %d before it began, see %s"
                  .formatted(process.exitValue(), log));
        }
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
    throw new IOException("The worker did not answer in " + TO_CONNECT + ", see " + log);
  }

  private void listen() {
    try {
      for (Report report = wire.receive(); report != null; report = wire.receive()) {
        if (report instanceof Report.Answer answer) {
          PendingAnswer waiting = pending.remove(answer.number());
          if (waiting != null) {
            waiting.complete(answer);
          }
        } else if (report instanceof Report.Working working) {
          signs.incrementAndGet();
          PendingAnswer waiting = pending.get(working.number());
          if (waiting != null) {
            waiting.sign();
          }
        } else {
          reports.accept(report);
        }
      }
    } catch (IOException broken) {
      if (!closing) {
        process.destroyForcibly();
      }
    }
    end();
  }

  private void end() {
    String how;
    try {
      boolean gone = process.waitFor(TO_END.toMillis(), TimeUnit.MILLISECONDS);
      how = gone ? "ended with " + process.exitValue() : "hung up";
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      how = "hung up";
    }
    process.destroyForcibly();
    Failure failure =
        new Failure(Failure.Kind.CRASHED, "The worker process %s, see %s".formatted(how, log));
    ended = failure;
    pending.values().forEach(each -> each.fail(failure));
    reports.accept(new Report.DecodeFailed(failure));
  }

  @Override
  public Report.Answer ask(LongFunction<Command> command, Duration patience)
      throws InterruptedException, TimeoutException {
    long number = numbers.incrementAndGet();
    PendingAnswer waiting = new PendingAnswer(System::nanoTime);
    pending.put(number, waiting);
    send(command.apply(number));
    Failure gone = ended;
    if (gone != null) {
      waiting.fail(gone);
    }
    try {
      Report.Answer given = waiting.await(patience);
      if (given instanceof Report.Failed failed) {
        throw new FailedException(failed.failure());
      }
      return given;
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof FailedException known
          ? known
          : new IllegalStateException(failed.getCause());
    } catch (InterruptedException interrupted) {
      send(new Command.Cancel(number));
      // Until then the worker has its encoder open, and the device is not free for another.
      waiting.awaitEnd(TO_LET_GO);
      throw interrupted;
    } finally {
      pending.remove(number);
    }
  }

  @Override
  public void send(Command command) {
    wire.send(command);
  }

  public boolean isAlive() {
    return ended == null;
  }

  public long pid() {
    return process.pid();
  }

  /** How many signs of progress have come so far. */
  public long signs() {
    return signs.get();
  }

  @Override
  public void kill() {
    process.destroyForcibly();
  }

  @Override
  public void close() {
    closing = true;
    try {
      wire.close();
      if (!process.waitFor(TO_END.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
      }
    } catch (IOException alreadyGone) {
      process.destroyForcibly();
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
