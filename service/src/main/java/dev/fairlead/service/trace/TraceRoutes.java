package dev.fairlead.service.trace;

import dev.fairlead.media.records.JobId;
import dev.fairlead.service.http.Answer;
import dev.fairlead.service.http.Call;
import dev.fairlead.service.http.Problem;
import dev.fairlead.service.http.Role;
import dev.fairlead.service.http.Route;
import dev.fairlead.service.http.Status;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
            .ofType(PAGE_TYPE),
        Route.get(
                ONE + "/explain",
                Role.READ,
                "Why a chunk went to its device, and how all devices stood then",
                Explanation.class,
                this::explain)
            .withQuery(
                Map.of(
                    "rung", "its name, as in the events of the job",
                    "chunk", "its number, from 0 on")));
  }

  /**
   * Why a chunk went to the device that had it last.
   *
   * @param before where it went before that, the oldest first
   */
  record Explanation(
      String rung,
      long chunk,
      String device,
      Instant at,
      boolean asClone,
      List<Choice.Candidate> candidates,
      Optional<Choice.Turn> turn,
      List<Choice> before) {
    static Explanation of(List<Choice> choices) {
      Choice last = choices.getLast();
      return new Explanation(
          last.rung(),
          last.chunk(),
          last.device(),
          last.at(),
          last.asClone(),
          last.candidates(),
          last.turn(),
          choices.subList(0, choices.size() - 1));
    }
  }

  private Answer explain(Call call) {
    String id = call.parameter("id");
    String rung =
        call.query("rung")
            .orElseThrow(() -> Problem.of(Status.BAD_REQUEST, "rung is missing; it can be 720p"));
    int chunk = call.number("chunk", 0, 0, Integer.MAX_VALUE);
    List<Choice> choices = traces.choices(parse(id), rung, chunk);
    if (choices.isEmpty()) {
      throw Problem.of(
          Status.NOT_FOUND,
          "No device was given chunk %d of the rung %s of job %s".formatted(chunk, rung, id));
    }
    return Answer.json(Explanation.of(choices));
  }

  private static JobId parse(String id) {
    try {
      return JobId.parse(id);
    } catch (IllegalArgumentException malformed) {
      throw Problem.of(Status.NOT_FOUND, "There is no job " + id);
    }
  }

  private String find(Call call, JobTraces.Kind kind) {
    String id = call.parameter("id");
    return traces
        .find(parse(id), kind)
        .orElseThrow(
            () -> Problem.of(Status.NOT_FOUND, "Nothing is recorded of job %s yet".formatted(id)));
  }
}
