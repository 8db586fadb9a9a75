package dev.fairlead.service.tenant;

import dev.fairlead.media.job.JobState;
import dev.fairlead.media.job.JobStatus;
import dev.fairlead.service.http.Answer;
import dev.fairlead.service.http.Call;
import dev.fairlead.service.http.Problem;
import dev.fairlead.service.http.Role;
import dev.fairlead.service.http.Route;
import dev.fairlead.service.http.Status;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;

/** The routes of tenants. */
public final class TenantRoutes {
  private final Tenants tenants;
  private final Supplier<List<JobStatus>> jobs;
  private final Supplier<Map<String, Double>> deviceSeconds;

  /** All tenants, by name. */
  record TenantList(List<TenantView> tenants) {}

  /**
   * A tenant as it stands.
   *
   * @param deviceSeconds for how long devices have worked for it, by its jobs that are known
   * @param running its jobs that run
   * @param queued its jobs that wait, for whatever reason
   */
  record TenantView(
      String name,
      double weight,
      int maxQueued,
      Optional<Long> maxBytes,
      double deviceSeconds,
      long running,
      long queued) {}

  /**
   * Routes of tenants.
   *
   * @param jobs all that are known
   * @param deviceSeconds by tenant
   */
  public TenantRoutes(
      Tenants tenants,
      Supplier<List<JobStatus>> jobs,
      Supplier<Map<String, Double>> deviceSeconds) {
    this.tenants = tenants;
    this.jobs = jobs;
    this.deviceSeconds = deviceSeconds;
  }

  public List<Route> all() {
    return List.of(
        Route.get("/v1/tenants", Role.READ, "All tenants", TenantList.class, _ -> list()),
        Route.of(
                Route.Method.PUT,
                "/v1/tenants/{name}",
                Role.ADMIN,
                "Say what a tenant is due, and how much it may have waiting; in effect at once",
                TenantTerms.class,
                TenantView.class,
                this::put)
            .refusing(Status.CONFLICT));
  }

  private Answer put(Call call) {
    String name = call.parameter("name");
    if (!Tenants.isName(name)) {
      throw Problem.of(
          Status.BAD_REQUEST, "A tenant is named by up to 64 letters, digits, dots, dashes");
    }
    tenants.put(name, call.body(TenantTerms.class).checked());
    return Answer.json(view(name, jobs.get(), deviceSeconds.get()));
  }

  private Answer list() {
    List<JobStatus> now = jobs.get();
    Map<String, Double> seconds = deviceSeconds.get();
    TreeSet<String> names = new TreeSet<>(tenants.all().keySet());
    names.addAll(seconds.keySet());
    now.stream().map(JobStatus::tenant).filter(Tenants::isName).forEach(names::add);
    return Answer.json(
        new TenantList(names.stream().map(name -> view(name, now, seconds)).toList()));
  }

  private TenantView view(String name, List<JobStatus> now, Map<String, Double> seconds) {
    TenantTerms terms = tenants.terms(name);
    List<JobState> states =
        now.stream().filter(job -> job.tenant().equals(name)).map(JobStatus::state).toList();
    long running = states.stream().filter(state -> state == JobState.RUNNING).count();
    long over = states.stream().filter(JobState::isOver).count();
    return new TenantView(
        name,
        terms.share(),
        terms.queued(),
        terms.maxBytes(),
        seconds.getOrDefault(name, 0.0),
        running,
        states.size() - over - running);
  }
}
