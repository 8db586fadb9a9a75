package dev.fairlead.benchmarks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Kills a server at random under load, starts it again on the same data, and looks at what became
 * of all jobs: that none is lost, that nothing is done twice, and that each package has the bytes
 * of the same transcode that nothing disturbed.
 *
 * <p>Run: {@code ./fairlead bench recovery}
 */
public final class RecoveryBench {
  private static final int CLIPS = 2;
  private static final int SECONDS = 6;
  private static final int PRESENT = 3;
  private static final int LONGEST_MILLIS = 5_000;
  private static final String LADDER = "320x180,160x90";
  private static final long TO_FINISH_MINUTES = 10;

  /**
   * What became of the jobs.
   *
   * @param lost that are not there, or not done
   * @param ranTwice chunks encoded after their commit, and packages published twice
   * @param identical whose package has the bytes of an undisturbed one
   */
  public record Figures(int kills, int jobs, int lost, int ranTwice, int identical) {}

  /** A job that the server has taken. */
  private record Job(String id, int clip, Path output) {}

  private final List<String> fairlead;
  private final Path directory;
  private final Random random;
  private final Map<String, Job> jobs = new LinkedHashMap<>();
  private int asked;

  private RecoveryBench(List<String> fairlead, Path directory, Random random) {
    this.fairlead = List.copyOf(fairlead);
    this.directory = directory;
    this.random = random;
  }

  /**
   * Kills and counts.
   *
   * @param fairlead the command that runs fairlead
   * @param seed of the moments of kills
   */
  public static Figures run(List<String> fairlead, int kills, long seed, Consumer<String> progress)
      throws IOException, InterruptedException {
    try (Scratch scratch = Scratch.open()) {
      RecoveryBench bench =
          new RecoveryBench(fairlead, scratch.directory().toRealPath(), new Random(seed));
      bench.prepare();
      for (int kill = 1; kill <= kills; kill++) {
        KilledServer server = bench.start();
        try {
          bench.load(server);
          Thread.sleep(bench.random.nextInt(LONGEST_MILLIS));
        } finally {
          server.kill();
        }
        progress.accept("kill %d of %d, %d jobs".formatted(kill, kills, bench.jobs.size()));
      }
      return bench.judge(kills, progress);
    }
  }

  private Path root() {
    return directory.resolve("root");
  }

  private Path clip(int number) {
    return root().resolve("clip%d.mp4".formatted(number));
  }

  /** The clips, and what an undisturbed transcode makes of each. */
  private void prepare() throws IOException, InterruptedException {
    Files.createDirectories(root());
    for (int clip = 0; clip < CLIPS; clip++) {
      new BundledFfmpeg().makeClip(clip(clip), SECONDS - 2 * clip, 320, 180);
      List<String> command = new ArrayList<>(fairlead);
      command.addAll(
          List.of(
              "transcode",
              clip(clip).toString(),
              "-o",
              calm(clip).toString(),
              "--ladder",
              LADDER,
              "--segment",
              "1",
              "--devices",
              "cpu:2"));
      ProcessTree.run(command, Map.of(), directory.resolve("calm.log"));
    }
  }

  private Path calm(int clip) {
    return directory.resolve("calm%d".formatted(clip));
  }

  private KilledServer start() throws IOException {
    List<String> command = new ArrayList<>(fairlead);
    command.addAll(List.of("serve", "--listen", "127.0.0.1:0", "--json", "--devices", "cpu:2"));
    command.addAll(List.of("--data", directory.resolve("data").toString()));
    command.addAll(List.of("--root", root().toString()));
    return KilledServer.start(command, directory.resolve("server.log"));
  }

  /** Submits jobs until there are enough that are not over. */
  private void load(KilledServer server) throws InterruptedException {
    int present = 0;
    for (Job job : jobs.values()) {
      if (!server.state(job.id).filter("done"::equals).isPresent()) {
        present++;
      }
    }
    for (; present < PRESENT; present++) {
      int clip = asked % CLIPS;
      Path output = root().resolve("out%d".formatted(asked));
      asked++;
      Optional<String> id =
          server.submit(
              "{\"input\":\"%s\",\"output\":\"%s\",\"options\":{\"ladder\":\"%s\",\"segment\":\"1\"}}"
                  .formatted(clip(clip), output, LADDER));
      id.ifPresent(its -> jobs.put(its, new Job(its, clip, output)));
    }
  }

  private Figures judge(int kills, Consumer<String> progress)
      throws IOException, InterruptedException {
    KilledServer server = start();
    int lost = 0;
    try {
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(TO_FINISH_MINUTES);
      for (Job job : jobs.values()) {
        String state = awaitEnd(server, job, end);
        if (!state.equals("done")) {
          lost++;
          progress.accept("job %s is %s".formatted(job.id, state));
        }
      }
    } finally {
      server.kill();
    }
    int ranTwice = 0;
    int identical = 0;
    for (Job job : jobs.values()) {
      JobJournal journal = JobJournal.read(job.output);
      ranTwice += journal.chunks() + journal.packages();
      identical += files(job.output).equals(files(calm(job.clip))) ? 1 : 0;
    }
    return new Figures(kills, jobs.size(), lost, ranTwice, identical);
  }

  private static String awaitEnd(KilledServer server, Job job, long end)
      throws InterruptedException {
    while (true) {
      String state = server.state(job.id).orElse("not there");
      boolean waits = List.of("queued", "running", "parked").contains(state);
      if (!waits || System.nanoTime() - end > 0) {
        return state;
      }
      Thread.sleep(100);
    }
  }

  /** The files of a package by their names, without its store. */
  private static Map<String, ByteBuffer> files(Path output) throws IOException {
    Map<String, ByteBuffer> all = new TreeMap<>();
    try (Stream<Path> walk = Files.walk(output)) {
      for (Path file : walk.filter(Files::isRegularFile).toList()) {
        Path name = output.relativize(file);
        if (!name.startsWith(".fairlead")) {
          all.put(name.toString(), ByteBuffer.wrap(Files.readAllBytes(file)));
        }
      }
    }
    return all;
  }
}
