package dev.fairlead.media.supervise;

import dev.fairlead.media.wire.Report;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A worker that is being started. What it reports waits until its supervisor knows of it. */
final class StartingWorker {
  /** Takes a worker over, or learns why there is none. */
  interface Handover {
    /** False if the worker is not wanted any more; it is closed then. */
    boolean started(@Nullable Worker worker, @Nullable Throwable failure);
  }

  private final BiConsumer<Worker, Report> reports;
  private final CountDownLatch known = new CountDownLatch(1);
  private volatile @Nullable Worker worker;

  StartingWorker(BiConsumer<Worker, Report> reports) {
    this.reports = reports;
  }

  /** Starts it, on the current thread. */
  void start(WorkerStart start, Handover handover) {
    Worker made = null;
    Throwable failure = null;
    try {
      made = start.start(this::report);
    } catch (Throwable failed) {
      failure = failed;
    }
    worker = made;
    boolean wanted = handover.started(made, failure);
    known.countDown();
    if (made != null && !wanted) {
      made.close();
    }
  }

  private void report(Report report) {
    boolean interrupted = false;
    while (true) {
      try {
        known.await();
        break;
      } catch (InterruptedException again) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    Worker from = worker;
    if (from != null) {
      reports.accept(from, report);
    }
  }
}
