package dev.fairlead.cli;

import dev.fairlead.media.json.JsonEvents;
import java.io.PrintWriter;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Shows how transcodes at a service go on. Thread-safe. */
interface RemoteDisplay extends AutoCloseable {
  /** An event of a job. */
  void on(RemoteOrder order, ObjectNode event);

  /** Something that people should know of. */
  void notice(RemoteOrder order, double seconds, String what);

  /** So much of a file, or of a package, has moved. */
  void moved(RemoteOrder order, String how, long now, long of);

  /** A job has ended. */
  void ended(RemoteEnd end);

  /** All have. */
  void over(List<RemoteEnd> ends, int code, double seconds);

  @Override
  void close();

  /** One JSON object a line. */
  static RemoteDisplay json(PrintWriter out) {
    return new RemoteDisplay() {
      @Override
      public void on(RemoteOrder order, ObjectNode event) {
        print(event);
      }

      @Override
      public void notice(RemoteOrder order, double seconds, String what) {
        print(
            JsonEvents.JSON
                .createObjectNode()
                .put("event", "notice")
                .put("seconds", seconds)
                .put("what", what)
                .put("input", order.input().toString()));
      }

      @Override
      public void moved(RemoteOrder order, String how, long now, long of) {
        // The service itself tells of the work.
      }

      @Override
      public void ended(RemoteEnd end) {
        print(
            end.code() == 0 ? end.last() : end.last().put("input", end.order().input().toString()));
      }

      @Override
      public void over(List<RemoteEnd> ends, int code, double seconds) {
        if (ends.size() < 2) {
          return;
        }
        ObjectNode node = JsonEvents.JSON.createObjectNode();
        node.put("event", "jobs").put("seconds", seconds).put("exitCode", code);
        ArrayNode jobs = node.putArray("jobs");
        for (RemoteEnd end : ends) {
          jobs.addObject()
              .put("job", end.job())
              .put("input", end.order().input().toString())
              .put("output", end.order().output().toString())
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
