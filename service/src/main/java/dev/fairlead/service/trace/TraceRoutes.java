package dev.fairlead.service.trace;

import dev.fairlead.media.records.JobId;
import dev.fairlead.service.http.Answer;
import dev.fairlead.service.http.Call;
import dev.fairlead.service.http.Problem;
import dev.fairlead.service.http.Role;
import dev.fairlead.service.http.Route;
import dev.fairlead.service.http.Status;
import java.util.List;

/** The routes by which people look at what was done for a job. */
public final class TraceRoutes {
  private static final String ONE = "/v1/jobs/{id}";
  private static final String TRACE_TYPE = "application/json";
  private static final String PAGE_TYPE = "text/html";

  private final JobTraces traces;

  public TraceRoutes(JobTraces traces) {
    this.traces = traces;
  }

  public List<Route> all() {
    return List.of(
        Route.get(
                ONE + "/trace",
                Role.READ,
                "What each device did for a job, in the trace event format; as transcode --trace",
                Void.class,
                call -> new Answer.Text(TRACE_TYPE, find(call, JobTraces.Kind.TRACE)))
            .ofType(TRACE_TYPE),
        Route.get(
                ONE + "/report",
                Role.READ,
                "What each device did for a job, as a page; as transcode --report",
                Void.class,
                call -> new Answer.Page(find(call, JobTraces.Kind.REPORT)))
            .ofType(PAGE_TYPE));
  }

  private String find(Call call, JobTraces.Kind kind) {
    String id = call.parameter("id");
    try {
      return traces
          .find(JobId.parse(id), kind)
          .orElseThrow(() ->
              Problem.of(Status.NOT_FOUND, "Nothing is recorded of job %s yet".formatted(id)));
    } catch (IllegalArgumentException malformed) {
      throw Problem.of(Status.NOT_FOUND, "There is no job " + id);
    }
  }
}
