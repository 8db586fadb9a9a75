package dev.fairlead.benchmarks;

import dev.fairlead.media.json.JsonEvents;
import dev.fairlead.service.client.ServiceClient;
import dev.fairlead.service.client.ServiceException;
import dev.fairlead.service.job.JobView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/**
 * A service under load: so many jobs wait, all lanes encode, and so many clients follow all events.
 * How long a list of 50 jobs takes then, against one on the same service before it has any; the
 * same beside clients that have stopped reading; and whether its heap grows while jobs come and go.
 *
 * <p>Run: {@code ./fairlead bench service}
 */
public final class ServiceBench {
  private static final int STOPPED = 50;
  private static final int REQUESTS = 400;
  private static final int ROUNDS = 10;
  private static final int FIRST_ROUND = 2;
  private static final int AT_ONCE = 4;
  private static final int LARGEST_PAGE = 1_000;
  private static final int CLIP_SECONDS = 16;
  private static final String LADDER = "640x360,480x270";
  private static final long LOOK_MILLIS = 100;
  private static final long PATIENCE_NANOS = 120_000_000_000L;
  private static final Map<String, String> PAGE = Map.of("limit", "50");

  /** What a list may take under load, and how much more than one at rest. */
  private static final double LIMIT_MILLIS = 100;

  private static final double LIMIT_TIMES = 10;

  /**
   * What was measured.
   *
   * @param failed requests and jobs
   * @param eventsLost gaps without a reset
   * @param p99StoppedMillis beside clients that have stopped reading
   * @param stoppedClients how many those were
   * @param heapGrowth what is alive after the tenth round ÷ after the second
   */
  public record Figures(
      int jobs,
      int sseClients,
      long failed,
      long eventsLost,
      long events,
      double p99IdleMillis,
      double p99BusyMillis,
      int stoppedClients,
      double p99StoppedMillis,
      double heapGrowth) {
    /** What the list may take: the larger of two bounds. */
    public double limitMillis() {
      return Math.max(LIMIT_MILLIS, LIMIT_TIMES * p99IdleMillis);
    }

    /** Empty if all is as it should be. */
    public String wrong() {
      return failed > 0 || eventsLost > 0
          ? "%d failed and %d events were lost".formatted(failed, eventsLost)
          : "";
    }
  }

  private final ServeProcess serve;
  private final ServiceClient client;
  private final ObjectNode job;
  private final Consumer<String> progress;
  private final List<String> waiting = new ArrayList<>();
  private long failed;

  private ServiceBench(ServeProcess serve, ObjectNode job, Consumer<String> progress) {
    this.serve = serve;
    this.client = serve.client();
    this.job = job;
    this.progress = progress;
  }

  /** Measures with so many jobs and clients. */
  public static Figures run(List<String> fairlead, int jobs, int clients, Consumer<String> progress)
      throws IOException, InterruptedException {
    if (jobs < 1 || jobs > LARGEST_PAGE || clients < 1) {
      throw new IllegalArgumentException(
          "--jobs is from 1 to %d and --clients at least one".formatted(LARGEST_PAGE));
    }
    try (Scratch scratch = Scratch.open()) {
      Path directory = scratch.directory().toRealPath();
      Path clip = directory.resolve("clip.mp4");
      new BundledFfmpeg().makeClip(clip, CLIP_SECONDS, 640, 360);
      try (ServeProcess serve = ServeProcess.start(fairlead, directory)) {
        ServiceBench bench = new ServiceBench(serve, job(clip), progress);
        try (bench.client) {
          return bench.measure(jobs, clients);
        }
      }
    }
  }

  private static ObjectNode job(Path clip) {
    ObjectNode job = JsonEvents.JSON.createObjectNode().put("input", clip.toString());
    job.putObject("options").put("ladder", LADDER);
    return job;
  }

  private Figures measure(int jobs, int clients) throws IOException, InterruptedException {
    p99(); // so that both sides are compiled before anything counts
    double idle = p99();
    progress.accept("idle: %.1f ms".formatted(idle));
    fill(jobs);
    try (EventReaders readers = EventReaders.open(serve.address(), clients)) {
      untilEncoding(readers);
      double busy = p99();
      progress.accept("busy with %d jobs and %d clients: %.1f ms".formatted(jobs, clients, busy));
      double stopped;
      try (StoppedReaders _ = StoppedReaders.open(serve.address(), STOPPED, readers.earlier())) {
        stopped = p99();
      }
      progress.accept("beside %d clients that do not read: %.1f ms".formatted(STOPPED, stopped));
      double growth = growth(jobs);
      failed += readers.failed() + lost();
      return new Figures(
          jobs,
          clients,
          failed,
          readers.lost(),
          readers.events(),
          idle,
          busy,
          STOPPED,
          stopped,
          growth);
    }
  }

  /** Jobs that did not come to a good end by themselves. */
  private long lost() throws InterruptedException {
    return client
        .jobs(Map.of("state", "failed", "limit", String.valueOf(LARGEST_PAGE)))
        .jobs()
        .size();
  }

  private void fill(int jobs) throws IOException, InterruptedException {
    List<Callable<String>> all = new ArrayList<>();
    for (int more = waiting.size(); more < jobs; more++) {
      all.add(() -> client.submit(job, UUID.randomUUID().toString()).id());
    }
    waiting.addAll(inParallel(all));
  }

  /** Several requests at a time; those that fail are counted and left out. */
  private List<String> inParallel(List<Callable<String>> requests)
      throws IOException, InterruptedException {
    List<String> answers = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      for (Future<String> answer : threads.invokeAll(requests)) {
        try {
          answers.add(answer.get());
        } catch (ExecutionException refused) {
          failed++;
          progress.accept("refused: " + refused.getCause());
        }
      }
    }
    return answers;
  }

  private void untilEncoding(EventReaders readers) throws IOException, InterruptedException {
    long begun = System.nanoTime();
    while (readers.chunks() == 0 || readers.open() < readers.size()) {
      if (System.nanoTime() - begun > PATIENCE_NANOS) {
        throw new IOException(
            "%d of %d clients follow, and heard of %d events and %d chunks that were begun: %s"
                .formatted(
                    readers.open(),
                    readers.size(),
                    readers.events(),
                    readers.chunks(),
                    serve.complaints()));
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  /** How long all but one of a hundred lists take at most, in milliseconds. */
  private double p99() throws InterruptedException {
    double[] millis = new double[REQUESTS];
    for (int request = 0; request < REQUESTS; request++) {
      long begun = System.nanoTime();
      try {
        client.jobs(PAGE);
      } catch (ServiceException refused) {
        failed++;
      }
      millis[request] = (System.nanoTime() - begun) / 1e6;
    }
    java.util.Arrays.sort(millis);
    return millis[REQUESTS * 99 / 100 - 1];
  }

  /** Jobs come and go; what is alive of the heap at the end against near the start. */
  private double growth(int jobs) throws IOException, InterruptedException {
    double early = 0;
    for (int round = 1; round <= ROUNDS; round++) {
      replace(Math.max(1, jobs / 2));
      fill(jobs);
      long alive = alive();
      progress.accept("round %d: %.1f MB alive".formatted(round, alive / 1e6));
      if (round == FIRST_ROUND) {
        early = alive;
      } else if (round == ROUNDS) {
        return alive / early;
      }
    }
    throw new IllegalStateException("There are fewer rounds than two");
  }

  /** Cancels and forgets the newest. */
  private void replace(int jobs) throws IOException, InterruptedException {
    List<Callable<String>> all = new ArrayList<>();
    for (String id : waiting.reversed().subList(0, jobs)) {
      all.add(() -> {
        end(id);
        return id;
      });
    }
    waiting.removeAll(inParallel(all));
  }

  private void end(String id) throws InterruptedException {
    JobView view = client.job(id);
    if (!view.state().isOver()) {
      client.act(id, ServiceClient.Action.CANCEL);
    }
    long begun = System.nanoTime();
    while (!client.job(id).state().isOver()) {
      if (System.nanoTime() - begun > PATIENCE_NANOS) {
        throw new IllegalStateException("Job %s does not end".formatted(id));
      }
      Thread.sleep(LOOK_MILLIS);
    }
    client.delete(id);
  }

  /** The bytes of all objects that are reachable, as its JVM counts them. */
  private long alive() throws IOException, InterruptedException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    if (!Files.isExecutable(jcmd)) {
      throw new IOException("%s is missing; run with a whole JDK".formatted(jcmd));
    }
    Process process =
        new ProcessBuilder(
                jcmd.toString(), String.valueOf(serve.process().pid()), "GC.class_histogram")
            .redirectErrorStream(true)
            .start();
    String last = "";
    try (var lines = process.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        last = line.startsWith("Total") ? line : last;
      }
    }
    process.waitFor();
    if (last.isEmpty()) {
      throw new IOException("The JVM of the service did not say how much is alive");
    }
    return Long.parseLong(last.strip().split("\\s+", -1)[2]);
  }
}
