package dev.fairlead.benchmarks;

import dev.fairlead.media.job.JobState;
import dev.fairlead.media.json.JsonEvents;
import dev.fairlead.service.client.ServiceClient;
import dev.fairlead.service.http.Words;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/**
 * The clips of {@link JobsBench} at a service: submitted together, and each when the one before is
 * done.
 *
 * <p>Run: {@code ./fairlead bench jobs --http}
 */
public final class ServedJobsBench {
  private static final Set<String> OVER =
      Arrays.stream(JobState.values())
          .filter(JobState::isOver)
          .map(Words::of)
          .collect(Collectors.toSet());

  private final ServiceClient client;
  private final List<Path> clips;

  private ServedJobsBench(ServiceClient client, List<Path> clips) {
    this.client = client;
    this.clips = clips;
  }

  /**
   * Measures.
   *
   * @param fairlead the command that runs fairlead
   * @param memoryBytes what the service may use
   */
  public static JobsBench.Walls run(
      List<String> fairlead, int rounds, long memoryBytes, Consumer<String> progress)
      throws IOException, InterruptedException {
    try (Scratch scratch = Scratch.open()) {
      Path directory = scratch.directory().toRealPath();
      List<Path> clips = JobsBench.makeClips(directory, progress);
      try (ServeProcess serve =
              ServeProcess.start(fairlead, directory, "--memory", String.valueOf(memoryBytes));
          ServiceClient client = serve.client()) {
        ServedJobsBench bench = new ServedJobsBench(client, clips);
        bench.seconds(false); // so that both sides are compiled before anything counts
        List<JobsBench.Walls> all = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
          all.add(JobsBench.Walls.of(bench.seconds(true), bench.seconds(false)));
          progress.accept("round %d: %s".formatted(round, all.getLast()));
        }
        return JobsBench.Walls.of(all);
      }
    }
  }

  private double seconds(boolean together) throws IOException, InterruptedException {
    long begun = System.nanoTime();
    List<String> ids = new ArrayList<>();
    for (Path clip : clips) {
      ids.add(submit(clip));
      if (!together) {
        awaitDone(ids.getLast());
      }
    }
    for (String id : ids) {
      awaitDone(id);
    }
    double seconds = (System.nanoTime() - begun) / 1e9;
    for (String id : ids) {
      client.delete(id);
    }
    return seconds;
  }

  private String submit(Path clip) throws InterruptedException {
    ObjectNode job = JsonEvents.JSON.createObjectNode().put("input", clip.toString());
    job.putObject("options").put("ladder", JobsBench.LADDER);
    return client.submit(job, UUID.randomUUID().toString()).id();
  }

  private void awaitDone(String id) throws IOException, InterruptedException {
    // A stream begins with how the job stands, so none that is over is waited for.
    client.follow(id, event -> !OVER.contains(event.path("state").asString("")));
    JobState state = client.job(id).state();
    if (state != JobState.DONE) {
      throw new IOException("Job %s is %s".formatted(id, state));
    }
  }
}
