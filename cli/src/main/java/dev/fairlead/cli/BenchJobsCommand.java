package dev.fairlead.cli;

import dev.fairlead.benchmarks.JobsBench;
import dev.fairlead.benchmarks.ServedJobsBench;
import dev.fairlead.media.json.JsonEvents;
import dev.fairlead.media.plan.HostMemory;
import dev.fairlead.media.plan.MemoryParts;
import dev.fairlead.media.plan.WrittenAmount;
import dev.fairlead.media.report.Quantities;
import java.io.IOException;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures several transcodes together against the same ones one at a time. */
@Command(
    name = "jobs",
    description = {
      "Make two rungs of six 720p clips of 10 s, together and one at a time; and of one of 60 s",
      "beside a job that crashes each of its workers, and beside an idle one.",
      "Takes some minutes. Quiet machines give steadier figures."
    },
    mixinStandardHelpOptions = true)
final class BenchJobsCommand extends BenchRun {
  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description = "How much memory all of them may use (default: half of what there is).")
  private @Nullable String memory;

  @Option(
      names = "--http",
      description = "Have a service make the six clips, which is asked over HTTP; nothing else.")
  private boolean http;

  BenchJobsCommand() {}

  @Override
  Answer measure(int rounds, Consumer<String> progress) throws IOException, InterruptedException {
    long bound = memory == null ? HostMemory.here().half() : WrittenAmount.bytes(memory);
    if (http) {
      JobsBench.Walls walls = ServedJobsBench.run(ThisProgram.command(), rounds, bound, progress);
      return new Answer(json(walls), table(walls));
    }
    JobsBench.Figures f = JobsBench.run(ThisProgram.command(), rounds, bound, progress);
    return new Answer(json(f), table(f));
  }

  static String json(JobsBench.Walls walls) {
    return String.format(
        Locale.ROOT,
        "{\"togetherOverSequential\":%.3f,\"togetherSeconds\":%.1f,\"sequentialSeconds\":%.1f}",
        walls.over(),
        walls.seconds(),
        walls.otherSeconds());
  }

  static String table(JobsBench.Walls walls) {
    return String.format(
        Locale.ROOT,
        """
        Six jobs of a service together ÷ one at a time
          wall     %.3f   (%.1f s against %.1f s)\
        """,
        walls.over(),
        walls.seconds(),
        walls.otherSeconds());
  }

  static String json(JobsBench.Figures f) {
    return String.format(
        Locale.ROOT,
        "{\"togetherOverSequential\":%.3f,\"togetherSeconds\":%.1f,\"sequentialSeconds\":%.1f,"
            + "\"besideCrashingOverIdle\":%.3f,\"besideCrashingSeconds\":%.1f,"
            + "\"besideIdleSeconds\":%.1f,"
            + "\"peakMemoryBytes\":%d,\"memoryBytes\":%d,\"grants\":%s}",
        f.together().over(),
        f.together().seconds(),
        f.together().otherSeconds(),
        f.beside().over(),
        f.beside().seconds(),
        f.beside().otherSeconds(),
        f.memory().peakBytes(),
        f.memory().bytes(),
        JsonEvents.JSON.writeValueAsString(f.memory().grants()));
  }

  static String table(JobsBench.Figures f) {
    return String.format(
        Locale.ROOT,
        """
        Six transcodes together ÷ one at a time
          wall     %.3f   (%.1f s against %.1f s)
          memory   %s of %s that may be used
        One of them beside a job that crashes its workers ÷ beside an idle one
          wall     %.3f   (%.1f s against %.1f s)
        What each job might use when it began
        %s\
        """,
        f.together().over(),
        f.together().seconds(),
        f.together().otherSeconds(),
        Quantities.size(f.memory().peakBytes()),
        Quantities.size(f.memory().bytes()),
        f.beside().over(),
        f.beside().seconds(),
        f.beside().otherSeconds(),
        f.memory().grants().stream().map(BenchJobsCommand::row).collect(Collectors.joining("\n")));
  }

  private static String row(MemoryParts parts) {
    return "  %s: processes %s, decoders %s, pictures %s, encoders %s, sound %s"
        .formatted(
            Quantities.size(parts.sum()),
            Quantities.size(parts.processes()),
            Quantities.size(parts.decoders()),
            Quantities.size(parts.pictures()),
            Quantities.size(parts.encoders()),
            Quantities.size(parts.sound()));
  }
}
