package dev.fairlead.cli;

import dev.fairlead.media.job.JobFacts;
import dev.fairlead.media.job.JobState;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.json.JsonEvents;
import dev.fairlead.media.progress.SourceStamp;
import dev.fairlead.media.report.Quantities;
import dev.fairlead.media.store.FileTrouble;
import dev.fairlead.service.client.OtherFile;
import dev.fairlead.service.client.ServiceClient;
import dev.fairlead.service.client.ServiceException;
import dev.fairlead.service.file.Sha256;
import dev.fairlead.service.http.Words;
import dev.fairlead.service.job.JobView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One transcode at a service: sends what the service does not see, follows the job, brings the
 * package back.
 *
 * <p>The key of the job follows from what it is and where its package goes. So the same command
 * comes to the same job, whether that waits, runs, is paused or done; only behind one that failed
 * or was cancelled there is a next one.
 */
final class RemoteTranscode {
  /** Files that move at a time. */
  private static final Semaphore TRANSFERS = new Semaphore(2);

  private static final int MOST_ENDED = 100;
  private static final int CONFLICT = 409;
  private static final int MOST_TRIES = 20;
  private static final long CONFLICT_MILLIS = 250;

  private final ServiceClient client;
  private final RemoteOrder order;
  private final RemoteDisplay display;
  private final long begun = System.nanoTime();
  private @Nullable JobView job;
  private @Nullable ObjectNode finished;

  RemoteTranscode(ServiceClient client, RemoteOrder order, RemoteDisplay display) {
    this.client = client;
    this.order = order;
    this.display = display;
  }

  /** Runs to its end; interrupted, it pauses the job. */
  RemoteEnd run() {
    try {
      JobView taken = submit(body());
      job = taken;
      haveGoOn(taken);
      client.follow(taken.id(), event -> take(taken, event));
      return end(client.job(taken.id()));
    } catch (InterruptedException stopped) {
      return stop();
    } catch (TranscodeException failure) {
      return failed(TranscodeFailures.exitCode(failure), TranscodeFailures.message(failure));
    } catch (ServiceException failure) {
      return failed(Services.exitCode(failure), String.valueOf(failure.getMessage()) + goesOn());
    } catch (OtherFile other) {
      return failed(
          ExitCode.USAGE,
          other.getMessage() + "; choose another output, or --restart, which replaces it");
    } catch (UncheckedIOException disk) {
      return failed(TranscodeFailures.STORAGE, FileTrouble.words(disk));
    }
  }

  /** A job that is paused runs until its chunks are done, so what it shows does not tell. */
  private void haveGoOn(JobView taken) throws InterruptedException {
    if (taken.state().isOver()) {
      return;
    }
    try {
      client.act(taken.id(), ServiceClient.Action.RESUME);
    } catch (ServiceException.Refused refused) {
      if (refused.status() != CONFLICT) { // a conflict: it is over by now
        throw refused;
      }
    }
  }

  /** What is true of a job when this side gives up. */
  private String goesOn() {
    return job == null ? "" : "; job %s goes on there".formatted(job.id());
  }

  private ObjectNode body() throws InterruptedException {
    SourceStamp.requireReadable(order.input());
    ObjectNode body = order.job().deepCopy().put("name", order.name());
    try {
      long bytes = Files.size(order.input());
      if (bytes == 0) {
        throw new TranscodeException.Unreadable(order.input() + ": is empty");
      }
      if (client.sees(order.input())) {
        return body.put("input", order.input().toRealPath().toString());
      }
      display.notice(order, seconds(), "is sent to the service, " + Quantities.size(bytes));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    TRANSFERS.acquire();
    try {
      return body.put(
          "upload",
          client.send(order.input(), (now, of) -> display.moved(order, "sending", now, of)));
    } finally {
      TRANSFERS.release();
    }
  }

  private JobView submit(ObjectNode body) throws InterruptedException {
    String key = hash(body + "\n" + order.output().toAbsolutePath().normalize());
    JobView taken = submit(body, key);
    for (int ended = 0; isLost(taken) && ended < MOST_ENDED; ended++) {
      key = hash(key + taken.id());
      taken = submit(body, key);
    }
    return taken;
  }

  /** Another command may be about to submit the same, which is told as a conflict. */
  private JobView submit(ObjectNode body, String key) throws InterruptedException {
    for (int tries = 1; ; tries++) {
      try {
        return client.submit(body, key);
      } catch (ServiceException.Refused refused) {
        if (refused.status() != CONFLICT || tries == MOST_TRIES) {
          throw refused;
        }
        Thread.sleep(CONFLICT_MILLIS);
      }
    }
  }

  private static String hash(String text) {
    return Sha256.of(text.getBytes(StandardCharsets.UTF_8));
  }

  private static boolean isLost(JobView job) {
    return job.state() == JobState.FAILED || job.state() == JobState.CANCELLED;
  }

  /** Takes an event; false if it is the last. */
  private boolean take(JobView taken, ObjectNode event) {
    switch (event.path("event").asString("")) {
      case "reset" -> {}
      case "state" -> {
        JobState state = state(event.path("state").asString(""));
        String reason = event.path("reason").asString("");
        if (state.isOver()) {
          return false;
        }
        if (!reason.isEmpty()) {
          display.notice(order, seconds(), "waits: " + reason);
        }
      }
      case "finished" -> finished = RemoteEvents.local(event, taken, order);
      default -> display.on(order, RemoteEvents.local(event, taken, order));
    }
    return true;
  }

  private static JobState state(String word) {
    for (JobState state : JobState.values()) {
      if (Words.of(state).equals(word)) {
        return state;
      }
    }
    return JobState.RUNNING; // a state that this version does not know is no end
  }

  private RemoteEnd end(JobView ended) throws InterruptedException {
    if (ended.state() != JobState.DONE) {
      int code = ended.error().map(JobFacts.Failure::exitCode).orElse(CtrlC.EXIT_CODE);
      String error =
          ended
              .error()
              .map(JobFacts.Failure::reason)
              .orElse("Job %s was cancelled at the service".formatted(ended.id()));
      String state = Words.of(ended.state());
      ObjectNode last =
          RemoteEvents.last(ended, order, seconds())
              .put("status", state)
              .put("exitCode", code)
              .put("error", error);
      return new RemoteEnd(order, ended.id(), code, state, error, last);
    }
    TRANSFERS.acquire();
    try {
      client.fetch(
          ended.id(),
          order.output(),
          order.replaces(),
          (now, of) -> display.moved(order, "fetching", now, of));
    } finally {
      TRANSFERS.release();
    }
    ObjectNode last =
        finished == null
            ? RemoteEvents.last(ended, order, seconds()).put("status", "done")
            : finished;
    return new RemoteEnd(order, ended.id(), 0, "done", "", last);
  }

  /** Ctrl-C: the job is paused, so that it takes no device for somebody who has left. */
  private RemoteEnd stop() {
    if (job == null) {
      return end(
          CtrlC.EXIT_CODE, "paused", "stopped before it was submitted; the same command goes on");
    }
    String id = job.id();
    try {
      client.act(id, ServiceClient.Action.PAUSE);
      return end(
          CtrlC.EXIT_CODE,
          "paused",
          "job %s is paused at the service; 'fairlead job resume %s' has it go on, 'fairlead job cancel %s' ends it"
              .formatted(id, id, id));
    } catch (ServiceException over) {
      return end(CtrlC.EXIT_CODE, "paused", String.valueOf(over.getMessage()) + goesOn());
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
      return end(CtrlC.EXIT_CODE, "paused", "stopped" + goesOn());
    }
  }

  private RemoteEnd failed(int code, String error) {
    return end(code, "failed", error);
  }

  private RemoteEnd end(int code, String state, String error) {
    ObjectNode last =
        JsonEvents.JSON
            .createObjectNode()
            .put("event", "finished")
            .put("seconds", seconds())
            .put("status", state.equals("paused") ? "cancelled" : state)
            .put("exitCode", code)
            .put("error", error);
    if (job != null) {
      last.put("job", job.id());
    }
    return new RemoteEnd(order, job == null ? "" : job.id(), code, state, error, last);
  }

  private double seconds() {
    return (System.nanoTime() - begun) / 1e9;
  }
}
