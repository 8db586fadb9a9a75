package dev.fairlead.media.job;

import dev.fairlead.media.worker.Report;
import dev.fairlead.media.worker.WorkerProcess;
import java.io.IOException;
import java.util.function.Consumer;

/** Starts a worker process for a job. */
interface WorkerStart {
  /** Starts one; it belongs to the caller, who is told what it reports. */
  WorkerProcess start(Consumer<Report> reports) throws IOException;
}
