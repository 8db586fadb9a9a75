package dev.fairlead.media.supervise;

import dev.fairlead.media.wire.Report;
import java.io.IOException;
import java.util.function.Consumer;

/** Starts a worker for a job. */
public interface WorkerStart {
  /** Starts one; it belongs to the caller, as do its reports. */
  Worker start(Consumer<Report> reports) throws IOException;
}
