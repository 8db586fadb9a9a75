package dev.fairlead.service.events;

import dev.fairlead.media.job.HostEvent;
import dev.fairlead.media.job.JobStatus;
import dev.fairlead.media.json.JsonEvents;
import dev.fairlead.service.http.JsonBody;
import dev.fairlead.service.http.Words;
import tools.jackson.databind.node.ObjectNode;

/** Events in the form of server-sent events: an id, a name, and one line of JSON. */
final class EventText {
  private EventText() {}

  static String of(String boot, HostEvent event) {
    ObjectNode data =
        switch (event.what()) {
          case HostEvent.What.Reported reported -> JsonEvents.of(reported.event());
          case HostEvent.What.Changed changed -> state(Words.of(changed.state()), changed.reason());
        };
    return line(boot, event.number(), data.put("job", event.job().value()));
  }

  /** The first after events that are missing: from here on none is, up to that number. */
  static String reset(String boot, long next) {
    return line(boot, next - 1, JsonBody.MAPPER.createObjectNode().put("event", "reset"));
  }

  static String of(String boot, JobStatus job, long next) {
    ObjectNode data = state(Words.of(job.state()), job.reason()).put("job", job.id().value());
    return line(boot, next - 1, data);
  }

  /** A job that is over. */
  static String over(String boot, String id, String state, long next) {
    return line(boot, next - 1, state(state, "").put("job", id));
  }

  private static ObjectNode state(String state, String reason) {
    ObjectNode data = JsonBody.MAPPER.createObjectNode().put("event", "state").put("state", state);
    return reason.isEmpty() ? data : data.put("reason", reason);
  }

  private static String line(String boot, long number, ObjectNode data) {
    return "id: %s-%d\nevent: %s\ndata: %s\n\n"
        .formatted(
            boot, number, data.get("event").asString(), JsonEvents.JSON.writeValueAsString(data));
  }
}
