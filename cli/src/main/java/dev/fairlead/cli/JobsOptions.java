package dev.fairlead.cli;

import dev.fairlead.media.local.HostLimits;
import dev.fairlead.media.plan.WrittenAmount;
import dev.fairlead.policy.Priority;
import dev.fairlead.pool.DevicePool;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How several inputs of a command run together. */
final class JobsOptions {
  @Option(
      names = "--jobs",
      paramLabel = "N",
      description =
          "Of several inputs, run so many at once (default: as many as keep all devices busy).")
  private @Nullable Integer jobs;

  @Option(
      names = "--priority",
      paramLabel = "LEVEL",
      defaultValue = "normal",
      description = "How urgent the inputs are: low, normal, high (default: ${DEFAULT-VALUE}).")
  private String priority = "normal";

  @Option(
      names = "--min-free",
      paramLabel = "SIZE",
      description = "Park several inputs while less is left on the disk (default: 1g).")
  private @Nullable String minFree;

  /** Makes sure that they make sense. */
  void check() {
    if (jobs != null && jobs < 1) {
      throw new IllegalArgumentException("--jobs is less than one: " + jobs);
    }
    priority();
    if (minFree != null) {
      WrittenAmount.bytes(minFree);
    }
  }

  Priority priority() {
    return Arrays.stream(Priority.values())
        .filter(each -> each.name().equalsIgnoreCase(priority.strip()))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "--priority \"%s\" is none of %s"
                    .formatted(
                        priority,
                        Arrays.stream(Priority.values())
                            .map(each -> each.name().toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(", ")))));
  }

  HostLimits limits(DevicePool pool) {
    HostLimits usual = HostLimits.usual(pool);
    HostLimits few = jobs == null ? usual : usual.withJobs(jobs);
    return minFree == null ? few : few.withMinFreeBytes(WrittenAmount.bytes(minFree));
  }
}
