package dev.fairlead.media.local;

import dev.fairlead.device.Discovery;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.job.TestingJobs;
import dev.fairlead.media.job.Transcode;
import dev.fairlead.pool.DevicePool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process of its own with a host that has records; tests kill it. */
public final class TestingHostProcess {
  private TestingHostProcess() {}

  /**
   * Transcodes the second argument into each of those after it, with records in the first, and
   * waits for all jobs, those of earlier hosts included.
   */
  public static void main(String[] arguments) throws Exception {
    try (DevicePool pool = DevicePool.open(Discovery.find("cpu:2"))) {
      JobOptions options = JobOptions.usual(pool);
      HostLimits limits =
          HostLimits.usual(pool).withMinFreeBytes(0).withRecords(Path.of(arguments[0]));
      try (TranscodeHost host = TranscodeHost.open(options, limits)) {
        List<Transcode> jobs =
            new ArrayList<>(host.jobs().stream().map(job -> host.job(job.id())).toList());
        for (int each = 2; each < arguments.length; each++) {
          Path source = Path.of(arguments[1]);
          jobs.add(
              host.submit(
                  JobOrder.of(
                      TestingJobs.request(source, Path.of(arguments[each])), host.options())));
        }
        for (Transcode job : jobs) {
          job.await();
        }
      }
    }
  }

  static Process start(Path records, Path source, List<Path> outputs) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                TestingHostProcess.class.getName(),
                records.toString(),
                source.toString()));
    outputs.forEach(output -> command.add(output.toString()));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(records.resolveSibling("process.log").toFile())
        .start();
  }
}
