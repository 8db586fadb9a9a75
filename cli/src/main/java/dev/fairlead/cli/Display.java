package dev.fairlead.cli;

import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.job.TranscodeListener.Event;
import dev.fairlead.media.json.JsonEvents;
import dev.fairlead.media.json.SoFar;
import dev.fairlead.media.records.JobId;
import java.io.PrintWriter;
import tools.jackson.databind.node.ObjectNode;

/** Shows how a transcode goes on. */
interface Display extends TranscodeListener, AutoCloseable {
  /** It came to no good end; the error itself is printed elsewhere. */
  void failed(double seconds, TranscodeException failure);

  @Override
  void close();

  /** One JSON object a line, with the job's id. */
  static Display json(PrintWriter out, JobId job) {
    SoFar soFar = new SoFar();
    return new Display() {
      @Override
      public synchronized void on(Event event) {
        soFar.add(event);
        print(JsonEvents.of(event));
      }

      @Override
      public synchronized void failed(double seconds, TranscodeException failure) {
        ObjectNode node = JsonEvents.failed(seconds, failure);
        node.put("exitCode", TranscodeFailures.exitCode(failure));
        if (!(failure instanceof TranscodeException.Cancelled)) {
          node.put("error", TranscodeFailures.message(failure));
        }
        soFar.writeTo(node);
        print(node);
      }

      private void print(ObjectNode node) {
        out.println(JsonEvents.JSON.writeValueAsString(node.put("job", job.value())));
        out.flush();
      }

      @Override
      public void close() {}
    };
  }
}
