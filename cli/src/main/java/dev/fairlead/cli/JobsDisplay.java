package dev.fairlead.cli;

import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.job.TranscodeResult;
import dev.fairlead.media.json.JsonEvents;
import dev.fairlead.media.json.SoFar;
import dev.fairlead.media.local.JobOrder;
import dev.fairlead.media.records.JobId;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Shows how several transcodes go on. Thread-safe. */
interface JobsDisplay extends AutoCloseable {
  /**
   * How a job ended.
   *
   * @param code its exit code
   * @param result empty unless it is done
   */
  record End(JobOrder order, int code, String state, Optional<TranscodeResult> result) {
    private static final String PARKED = "parked";

    static End failed(JobOrder order, int code, TranscodeException failure) {
      boolean parked = failure instanceof TranscodeException.Cancelled;
      return new End(order, code, parked ? PARKED : "failed", Optional.empty());
    }

    /** The same command goes on with it. */
    boolean isParked() {
      return state.equals(PARKED);
    }
  }

  /** Takes the events of a job. */
  TranscodeListener of(JobOrder order);

  /** A job came to no good end. */
  void failed(End end, double seconds, TranscodeException failure);

  /** All are over. */
  void over(List<End> ends, int code, double seconds);

  @Override
  void close();

  /** One JSON object a line, with the job's id. */
  static JobsDisplay json(PrintWriter out) {
    return new JobsDisplay() {
      private final Map<JobId, SoFar> jobs = new HashMap<>(); // guarded by this

      @Override
      public TranscodeListener of(JobOrder order) {
        return event -> {
          synchronized (this) {
            soFar(order).add(event);
            print(JsonEvents.of(event).put("job", order.id().value()));
          }
        };
      }

      private SoFar soFar(JobOrder order) {
        return jobs.computeIfAbsent(order.id(), _ -> new SoFar());
      }

      @Override
      public synchronized void failed(End end, double seconds, TranscodeException failure) {
        ObjectNode node =
            JsonEvents.failed(seconds, failure)
                .put("job", end.order().id().value())
                .put("input", end.order().request().input().toString())
                .put("exitCode", end.code())
                .put("error", TranscodeFailures.message(failure));
        soFar(end.order()).writeTo(node);
        print(node);
      }

      @Override
      public void over(List<End> ends, int code, double seconds) {
        ObjectNode node = JsonEvents.JSON.createObjectNode();
        node.put("event", "jobs").put("seconds", seconds).put("exitCode", code);
        ArrayNode all = node.putArray("jobs");
        for (End end : ends) {
          all.addObject()
              .put("job", end.order().id().value())
              .put("input", end.order().request().input().toString())
              .put("output", end.order().request().output().toString())
              .put("state", end.state())
              .put("exitCode", end.code());
        }
        print(node);
      }

      private synchronized void print(ObjectNode node) {
        out.println(JsonEvents.JSON.writeValueAsString(node));
        out.flush();
      }

      @Override
      public void close() {}
    };
  }
}
