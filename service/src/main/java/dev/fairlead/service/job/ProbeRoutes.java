package dev.fairlead.service.job;

import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.json.JsonEvents;
import dev.fairlead.media.prepare.SourceTools;
import dev.fairlead.media.source.MediaInfo;
import dev.fairlead.service.http.Answer;
import dev.fairlead.service.http.Call;
import dev.fairlead.service.http.Problem;
import dev.fairlead.service.http.Role;
import dev.fairlead.service.http.Route;
import dev.fairlead.service.http.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.databind.JsonNode;

/** The route that tells what is in a source. A confined worker process parses it. */
public final class ProbeRoutes {
  private static final int AT_ONCE = 2;
  private static final String RETRY_SECONDS = "5";

  /** A source that takes longer is given up, so that a client who has left keeps no place. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Roots roots;
  private final Inspection inspection;
  private final Semaphore places = new Semaphore(AT_ONCE);

  /**
   * What is asked about.
   *
   * @param input a path below a root of the server
   */
  record Question(String input) {}

  /** Looks into a source. */
  @FunctionalInterface
  interface Inspection {
    MediaInfo of(Path source) throws InterruptedException;
  }

  public ProbeRoutes(Roots roots) {
    this(roots, SourceTools::inspect);
  }

  ProbeRoutes(Roots roots, Inspection inspection) {
    this.roots = roots;
    this.inspection = inspection;
  }

  public List<Route> all() {
    return List.of(
        Route.of(
                Route.Method.POST,
                "/v1/probe",
                Role.SUBMIT,
                "Tell what is in a source, as probe --json does; two at a time",
                Question.class,
                JsonNode.class,
                this::probe)
            .refusing(Status.TOO_MANY));
  }

  private Answer probe(Call call) throws InterruptedException {
    Path source = roots.input(call.body(Question.class).input(), "/input");
    if (!places.tryAcquire()) {
      throw Problem.of(Status.TOO_MANY, "Two sources are being looked into, which is the most")
          .withHeader("Retry-After", RETRY_SECONDS);
    }
    try {
      return Answer.json(JsonEvents.JSON.valueToTree(inspect(source)));
    } finally {
      places.release();
    }
  }

  private MediaInfo inspect(Path source) throws InterruptedException {
    CompletableFuture<MediaInfo> found = new CompletableFuture<>();
    Thread thread =
        Thread.ofVirtual().name("probe " + source.getFileName()).start(() -> look(source, found));
    try {
      return found.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof TranscodeException unreadable) {
        throw Problem.flaw("/input", String.valueOf(unreadable.getMessage()));
      }
      throw new IllegalStateException(failed.getCause());
    } catch (TimeoutException hung) {
      throw Problem.flaw(
          "/input", "Nothing is known of the source after %d s".formatted(PATIENCE.toSeconds()));
    } finally {
      thread.interrupt();
      thread.join(); // its worker process is gone after this
    }
  }

  private void look(Path source, CompletableFuture<MediaInfo> found) {
    try {
      found.complete(inspection.of(source));
    } catch (InterruptedException | RuntimeException failure) {
      found.completeExceptionally(failure);
    }
  }
}
