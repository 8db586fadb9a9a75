package dev.fairlead.cli;

import dev.fairlead.service.client.ServiceClient;
import dev.fairlead.service.http.JsonBody;
import dev.fairlead.service.job.JobView.JobPage;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the jobs of a service. */
@Command(
    name = "jobs",
    description = "List the jobs of a service, newest first.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class ListJobsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description =
          "Only jobs in this state: queued, running, parked, paused, done, failed, cancelled.")
  private @Nullable String state;

  @Option(names = "--tenant", paramLabel = "NAME", description = "Only jobs of this tenant.")
  private @Nullable String tenant;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "50",
      description = "How many, up to 1000 (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Mixin private AtOptions at;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields before it runs a command
  ListJobsCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    Map<String, String> query = new HashMap<>(Map.of("limit", String.valueOf(limit)));
    if (state != null) {
      query.put("state", state);
    }
    if (tenant != null) {
      query.put("tenant", tenant);
    }
    PrintWriter out = spec.commandLine().getOut();
    try (ServiceClient client = at.open()) {
      JobPage page = client.jobs(query);
      if (at.isJson()) {
        out.println(JsonBody.MAPPER.writeValueAsString(page));
      } else {
        out.print(JobText.table(page, Displays.window().columns()));
      }
      out.flush();
    }
    return 0;
  }
}
