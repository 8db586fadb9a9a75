package dev.fairlead.media.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fairlead.device.Discovery;
import dev.fairlead.media.job.ChaosPlan;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.job.TestingJobs;
import dev.fairlead.media.job.Transcode;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.pool.DevicePool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A process of its own whose host transcodes several sources at once; tests kill it. */
public final class TestingManyJobsProcess {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private TestingManyJobsProcess() {}

  /**
   * Transcodes every further argument into a directory of its name below the first, and adds a line
   * to the file {@code committed} there for each chunk.
   */
  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    List<Path> sources = List.of(arguments).stream().skip(1).map(Path::of).toList();
    run(directory, sources);
  }

  /** Does so in this process. */
  static void run(Path directory, List<Path> sources) throws Exception {
    try (DevicePool pool = DevicePool.open(Discovery.find("cpu:3"))) {
      JobOptions options =
          new JobOptions(pool, ServicePolicies.anyRung(), ChaosPlan.none(), PATIENCE);
      HostLimits limits = HostLimits.usual(pool).withMinFreeBytes(0);
      try (TranscodeHost host = TranscodeHost.open(options, limits)) {
        List<Transcode> jobs = new ArrayList<>();
        for (Path source : sources) {
          Path output = output(directory, source);
          jobs.add(
              host.submit(
                  JobOrder.of(TestingJobs.request(source, output), options)
                      .withListener(event -> note(directory, output, event))));
        }
        for (Transcode job : jobs) {
          job.await();
        }
      }
    }
  }

  static Path output(Path directory, Path source) {
    return directory.resolve(String.valueOf(source.getFileName()));
  }

  static Path committed(Path directory) {
    return directory.resolve("committed");
  }

  private static void note(Path directory, Path output, TranscodeListener.Event event) {
    if (event instanceof TranscodeListener.Event.Committed chunk) {
      String line = "%s %s%n".formatted(output.getFileName(), chunk.unit());
      try {
        Files.writeString(
            committed(directory),
            line,
            UTF_8,
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND);
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
  }

  static Process start(Path directory, List<Path> sources) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                TestingManyJobsProcess.class.getName(),
                directory.toString()));
    sources.forEach(source -> command.add(source.toString()));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("log").toFile())
        .start();
  }
}
