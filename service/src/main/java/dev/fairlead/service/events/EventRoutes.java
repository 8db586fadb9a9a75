package dev.fairlead.service.events;

import dev.fairlead.media.job.HostEvent;
import dev.fairlead.media.job.HostException;
import dev.fairlead.media.job.JobStatus;
import dev.fairlead.media.local.TranscodeHost;
import dev.fairlead.media.records.JobId;
import dev.fairlead.service.http.Answer;
import dev.fairlead.service.http.Call;
import dev.fairlead.service.http.Problem;
import dev.fairlead.service.http.Role;
import dev.fairlead.service.http.Route;
import dev.fairlead.service.http.Status;
import dev.fairlead.service.index.JobTable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Collectors;

/**
 * The routes by which clients follow jobs. A stream begins where the {@code Last-Event-ID} of its
 * client ends; where events from there on are missing, or are of another start of the server, it
 * begins with {@code reset} and the state of every job that is asked for.
 *
 * <p>Nothing waits for a client: the host keeps the last events for all, and a client that is
 * slower than those last is reset.
 */
public final class EventRoutes implements AutoCloseable {
  private static final String TYPE = "text/event-stream";
  private static final long SILENCE_MILLIS = 15_000;
  private static final ByteBuffer HERE = bytes(": here\n\n");

  /** Of so many last events the text is kept, for all clients that are not far behind. */
  private static final int KEPT_TEXTS = 1_024;

  /** Of how many jobs that are over a stream says so at its beginning. */
  private static final int MOST_ENDED = 1_000;

  private final TranscodeHost host;
  private final JobTable over;
  private final String boot;
  private final AtomicReferenceArray<Text> texts = new AtomicReferenceArray<>(KEPT_TEXTS);
  private final Set<Following> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * Streams of a host's events.
   *
   * @param over the jobs that the host has let go of
   * @param boot tells this start of the server from all others
   */
  public EventRoutes(TranscodeHost host, JobTable over, String boot) {
    this.host = host;
    this.over = over;
    this.boot = boot;
  }

  public List<Route> all() {
    return List.of(
        Route.get(
                "/v1/events",
                Role.READ,
                "Follow all jobs: server-sent events; Last-Event-ID goes on",
                Void.class,
                call -> follow(call, Optional.empty()))
            .ofType(TYPE),
        Route.get(
                "/v1/jobs/{id}/events",
                Role.READ,
                "Follow one job: server-sent events; Last-Event-ID goes on",
                Void.class,
                call -> follow(call, Optional.of(job(call.parameter("id")))))
            .ofType(TYPE));
  }

  private JobId job(String id) {
    try {
      return host.job(JobId.parse(id)).id();
    } catch (IllegalArgumentException | HostException none) {
      throw Problem.of(Status.NOT_FOUND, "There is no job " + id);
    }
  }

  private Answer follow(Call call, Optional<JobId> only) {
    Optional<String> last =
        call.headers().value("Last-Event-ID").or(() -> call.query("lastEventId"));
    return new Answer.Stream(
        TYPE,
        out -> {
          Following following = new Following(out, only, last);
          open.add(following);
          try {
            following.run();
          } finally {
            open.remove(following);
          }
        });
  }

  /** The text of an event, by its number. */
  private record Text(long number, ByteBuffer bytes) {}

  private static ByteBuffer bytes(String text) {
    return StandardCharsets.UTF_8.encode(text);
  }

  /** Makes the text of an event once, and not for each client. */
  private ByteBuffer text(HostEvent event) {
    int place = (int) (event.number() % KEPT_TEXTS);
    Text known = texts.get(place);
    if (known != null && known.number() == event.number()) {
      return known.bytes();
    }
    ByteBuffer made = bytes(EventText.of(boot, event));
    texts.set(place, new Text(event.number(), made));
    return made;
  }

  /** Ends all streams. */
  @Override
  public void close() {
    closed = true;
    open.forEach(Following::end);
  }

  /** One client: the host's thread for it writes events, the request's thread keeps it awake. */
  private final class Following implements HostEvent.Listener {
    private final OutputStream out;
    private final Optional<JobId> only;
    private final long from;
    private final CountDownLatch ended = new CountDownLatch(1);

    Following(OutputStream out, Optional<JobId> only, Optional<String> last) {
      this.out = out;
      this.only = only;
      this.from = last.map(this::after).orElse(0L);
    }

    /** The number after the last that a client has; 0 if that is not of this start. */
    private long after(String id) {
      int dash = id.lastIndexOf('-');
      try {
        return dash > 0 && id.substring(0, dash).equals(boot)
            ? Math.addExact(Long.parseLong(id.substring(dash + 1)), 1)
            : 0;
      } catch (ArithmeticException | NumberFormatException foreign) {
        return 0;
      }
    }

    void run() throws IOException, InterruptedException {
      write(HERE); // so that the client knows at once that it follows
      try (HostEvent.Subscription _ = host.subscribe(from, this)) {
        while (awaitSilence()) {
          write(HERE);
        }
      }
    }

    /** Waits until something is to be written again; false if nothing is any more. */
    private boolean awaitSilence() throws InterruptedException {
      return !closed && !ended.await(SILENCE_MILLIS, TimeUnit.MILLISECONDS);
    }

    void end() {
      ended.countDown();
    }

    private void write(ByteBuffer text) throws IOException {
      synchronized (out) {
        out.write(text.array(), text.arrayOffset(), text.limit());
        out.flush();
      }
    }

    private void send(ByteBuffer text) {
      try {
        write(text);
      } catch (IOException gone) {
        end();
      }
    }

    @Override
    public void on(HostEvent event) {
      if (only.isEmpty() || only.get().equals(event.job())) {
        send(text(event));
      }
    }

    @Override
    public void reset(List<JobStatus> jobs, long next) {
      StringBuilder text = new StringBuilder(EventText.reset(boot, next));
      if (only.isPresent()) {
        text.append(EventText.of(boot, host.job(only.get()).status(), next));
      } else {
        jobs.forEach(job -> text.append(EventText.of(boot, job, next)));
        addEnded(jobs, next, text);
      }
      send(bytes(text.toString()));
    }

    /** Those that the host has let go of, or an earlier one has ended. */
    private void addEnded(List<JobStatus> here, long next, StringBuilder text) {
      Set<String> told = here.stream().map(job -> job.id().value()).collect(Collectors.toSet());
      over.page(JobTable.Filter.ALL, MOST_ENDED).stream()
          .filter(row -> !told.contains(row.id()))
          .forEach(row -> text.append(EventText.over(boot, row.id(), row.state(), next)));
    }
  }
}
