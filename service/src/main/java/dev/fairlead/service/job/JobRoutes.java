package dev.fairlead.service.job;

import dev.fairlead.media.job.HostException;
import dev.fairlead.media.job.JobState;
import dev.fairlead.media.job.JobStatus;
import dev.fairlead.media.job.Transcode;
import dev.fairlead.media.local.JobOrder;
import dev.fairlead.media.records.JobId;
import dev.fairlead.policy.Priority;
import dev.fairlead.service.http.Answer;
import dev.fairlead.service.http.Call;
import dev.fairlead.service.http.Caller;
import dev.fairlead.service.http.Problem;
import dev.fairlead.service.http.Role;
import dev.fairlead.service.http.Route;
import dev.fairlead.service.http.Status;
import dev.fairlead.service.http.Words;
import dev.fairlead.service.tenant.Admission;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** The routes of jobs. */
public final class JobRoutes {
  private static final String ONE = "/v1/jobs/{id}";
  private static final String TEXT = "text/plain";
  private static final int USUAL_PAGE = 50;
  private static final int LARGEST_PAGE = 1_000;

  private final Jobs jobs;
  private final Intake intake;
  private final Admission admission;
  private final SubmissionKeys keys;
  private final Artifacts artifacts = new Artifacts();

  /** What can be changed of a job. */
  record Change(Priority priority) {}

  public JobRoutes(Jobs jobs, Intake intake, Admission admission, SubmissionKeys keys) {
    this.jobs = jobs;
    this.intake = intake;
    this.admission = admission;
    this.keys = keys;
  }

  public List<Route> all() {
    return List.of(
        Route.of(
                Route.Method.POST,
                "/v1/jobs",
                Role.SUBMIT,
                "Submit a job",
                Submission.class,
                JobView.class,
                this::submit)
            .refusing(Status.CONFLICT, Status.TOO_MANY, Status.UNAVAILABLE, Status.NO_SPACE),
        Route.get("/v1/jobs", Role.READ, "Jobs, newest first", JobView.JobPage.class, this::list)
            .withQuery(
                Map.of(
                    "state", "only jobs in this state",
                    "tenant", "only jobs of this tenant",
                    "limit", "how many, up to 1000",
                    "after", "the next of the page before")),
        Route.get(ONE, Role.READ, "A job", JobView.class, this::show),
        Route.of(
                Route.Method.PATCH,
                ONE,
                Role.SUBMIT,
                "Change the priority of a job",
                Change.class,
                JobView.class,
                this::change)
            .refusing(Status.CONFLICT),
        action(
            "pause", "Stop a job at the border of a chunk until it is resumed", Transcode::pause),
        action("resume", "Have a paused job go on", Transcode::resume),
        action("cancel", "End a job", JobRoutes::cancel),
        action(
                "retry",
                "Have a job that failed or was cancelled begin again, with what is there",
                jobs::retry)
            .refusing(Status.CONFLICT, Status.UNAVAILABLE),
        Route.of(
                Route.Method.DELETE,
                ONE,
                Role.SUBMIT,
                "Remove a job that is over, with its files under --data; under a root its store alone",
                Void.class,
                Void.class,
                this::delete)
            .refusing(Status.CONFLICT),
        Route.get(
                ONE + "/log",
                Role.READ,
                "The end of what the worker of a job has printed, 64 KiB at most",
                Void.class,
                call ->
                    new Answer.Text(
                        TEXT + "; charset=utf-8", WorkerLog.tail(job(call).status().output())))
            .ofType(TEXT),
        Route.get(
            ONE + "/artifacts",
            Role.READ,
            "The files that a job has made",
            Artifacts.ArtifactList.class,
            call -> Answer.json(artifacts.list(job(call).status().output()))),
        Route.get(
                ONE + "/artifacts/{path...}",
                Role.READ,
                "A file that a job has made",
                Void.class,
                call -> Artifacts.get(job(call).status().output(), call.parameter("path")))
            .ofType(Route.ANY_FILE)
            .refusing(Status.RANGE));
  }

  private Route action(String verb, String summary, Consumer<Transcode> how) {
    return Route.of(
            Route.Method.POST,
            ONE + "/" + verb,
            Role.SUBMIT,
            summary,
            Void.class,
            JobView.class,
            call -> act(call, how))
        .refusing(Status.CONFLICT);
  }

  /** 201 for a job that was made, 200 for one that the same submission has made before. */
  private Answer submit(Call call) {
    Submission submission = call.body(Submission.class);
    Function<JobId, JobView> make = id -> submit(submission, call.caller(), id);
    SubmissionKeys.Outcome outcome =
        SubmissionKey.of(call, submission)
            .map(key -> keys.once(key, jobs::shown, make))
            .orElseGet(() -> new SubmissionKeys.Outcome(make.apply(JobId.create()), true));
    JobView view = outcome.job();
    String location = "/v1/jobs/" + view.id();
    return outcome.isNew()
        ? Answer.created(location, view)
        : Answer.json(view).withHeader("Location", location);
  }

  private JobView submit(Submission submission, Caller caller, JobId id) {
    JobOrder order = intake.take(submission, caller, id);
    return admission.admit(
        order.tenant().name(), order.request().input(), () -> jobs.submit(order));
  }

  private Answer list(Call call) {
    Optional<JobState> state = call.query("state").map(JobRoutes::state);
    Optional<String> tenant = call.query("tenant");
    Optional<String> after = call.query("after");
    int limit = call.number("limit", USUAL_PAGE, 1, LARGEST_PAGE);
    return Answer.json(jobs.page(new Jobs.Filter(state, tenant, after), limit));
  }

  private static JobState state(String text) {
    return Arrays.stream(JobState.values())
        .filter(state -> Words.of(state).equals(text.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(() ->
            Problem.of(
                Status.BAD_REQUEST,
                "state is \"%s\"; it can be %s"
                    .formatted(
                        text,
                        String.join(
                            ", ", Arrays.stream(JobState.values()).map(Words::of).toList()))));
  }

  private Answer show(Call call) {
    return Answer.json(jobs.view(job(call)));
  }

  private Transcode job(Call call) {
    return jobs.find(call.parameter("id"));
  }

  /** The job of a call that changes it; the caller's own, unless it may change all. */
  private Transcode own(Call call) {
    Transcode job = job(call);
    String tenant = job.status().tenant();
    if (call.caller().tenant().isPresent() && !call.caller().owns(tenant)) {
      throw Problem.of(
          Status.FORBIDDEN,
          "The job is %s's; %s may change those of %s"
              .formatted(tenant, call.caller().name(), call.caller().tenant().get()));
    }
    return job;
  }

  private Answer change(Call call) {
    Transcode job = own(call);
    Change wanted = call.body(Change.class);
    requireGoingOn(job.status());
    job.priority(wanted.priority());
    return show(call);
  }

  private static void requireGoingOn(JobStatus status) {
    if (status.state().isOver()) {
      throw Problem.of(
          Status.CONFLICT, "Job %s is %s already".formatted(status.id(), Words.of(status.state())));
    }
  }

  private static void cancel(Transcode job) {
    requireGoingOn(job.status());
    job.cancel();
  }

  private Answer act(Call call, Consumer<Transcode> how) {
    try {
      how.accept(own(call));
    } catch (HostException.WrongState wrong) {
      throw Problem.of(Status.CONFLICT, String.valueOf(wrong.getMessage()));
    }
    return show(call);
  }

  private Answer delete(Call call) {
    jobs.remove(own(call));
    return Answer.none();
  }
}
