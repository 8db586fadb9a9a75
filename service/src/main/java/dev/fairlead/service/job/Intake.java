package dev.fairlead.service.job;

import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.local.JobOrder;
import dev.fairlead.media.plan.PlanException;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.records.JobId;
import dev.fairlead.policy.Priority;
import dev.fairlead.service.http.Caller;
import dev.fairlead.service.http.Problem;
import dev.fairlead.service.http.Role;
import dev.fairlead.service.http.Status;
import dev.fairlead.service.tenant.Tenants;
import dev.fairlead.service.upload.Uploads;
import dev.fairlead.service.webhook.Webhooks;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Makes an order of what a client asks for, or says what is wrong with it and where. */
public final class Intake {
  private static final int LONGEST_NAME = 200;

  private final Roots roots;
  private final Uploads uploads;
  private final Path packages;
  private final JobOptions options;
  private final Tenants tenants;
  private final Webhooks webhooks;

  /**
   * Intake of a server.
   *
   * @param packages where outputs are that clients do not name
   */
  public Intake(
      Roots roots,
      Uploads uploads,
      Path packages,
      JobOptions options,
      Tenants tenants,
      Webhooks webhooks) {
    this.roots = roots;
    this.uploads = uploads;
    this.packages = packages;
    this.options = options;
    this.tenants = tenants;
    this.webhooks = webhooks;
  }

  /**
   * Makes an order.
   *
   * @param id of the job
   */
  JobOrder take(Submission submission, Caller caller, JobId id) {
    return order(submission, caller, input(submission), id);
  }

  private static String name(Submission submission, Path input) {
    String name =
        submission
            .name()
            .map(String::strip)
            .filter(text -> !text.isEmpty())
            .orElseGet(
                () -> submission.upload().orElseGet(() -> String.valueOf(input.getFileName())));
    if (name.length() > LONGEST_NAME || name.chars().anyMatch(Character::isISOControl)) {
      throw Problem.flaw(
          "/name", "A name has up to %d characters that can be shown".formatted(LONGEST_NAME));
    }
    return name;
  }

  private JobOrder order(Submission submission, Caller caller, Path input, JobId id) {
    Path output =
        submission
            .output()
            .map(path -> roots.output(path, "/output"))
            .orElseGet(() -> packages.resolve(id.value()));
    return new JobOrder(
        id,
        request(submission, input, output),
        options,
        tenants.tenant(tenant(submission, caller)),
        submission.priority().orElse(Priority.NORMAL),
        notes(submission, input),
        TranscodeListener.none());
  }

  private Map<String, String> notes(Submission submission, Path input) {
    Map<String, String> notes = new TreeMap<>(Map.of(JobView.NAME, name(submission, input)));
    try {
      submission.webhook().ifPresent(url -> notes.put(Webhooks.NOTE, webhooks.checked(url)));
    } catch (IllegalArgumentException wrong) {
      throw Problem.flaw("/webhook", String.valueOf(wrong.getMessage()));
    }
    return Map.copyOf(notes);
  }

  private Path input(Submission submission) {
    if (submission.input().isPresent() == submission.upload().isPresent()) {
      throw Problem.flaw("/input", "A job has an input, or an upload, and not both");
    }
    return submission.input().isPresent()
        ? roots.input(submission.input().get(), "/input")
        : uploaded(submission.upload().orElseThrow());
  }

  private Path uploaded(String id) {
    try {
      return uploads.file(id);
    } catch (Problem none) {
      throw Problem.flaw("/upload", none.details().detail());
    }
  }

  private static TranscodeRequest request(Submission submission, Path input, Path output) {
    try {
      return submission
          .options()
          .map(its -> its.request(input, output))
          .orElseGet(() -> TranscodeRequest.of(input, output));
    } catch (IllegalArgumentException | PlanException wrong) {
      throw Problem.flaw("/options", String.valueOf(wrong.getMessage()));
    }
  }

  private static String tenant(Submission submission, Caller caller) {
    Optional<String> own = caller.tenant();
    String tenant = submission.tenant().or(() -> own).orElse(Tenants.USUAL_NAME);
    if (!Tenants.isName(tenant)) {
      throw Problem.flaw("/tenant", "A tenant is named by up to 64 letters, digits, dots, dashes");
    }
    if (!caller.role().includes(Role.ADMIN) && own.isPresent() && !own.get().equals(tenant)) {
      throw Problem.of(
          Status.FORBIDDEN,
          "%s submits for the tenant %s only".formatted(caller.name(), own.get()));
    }
    return tenant;
  }
}
