package dev.fairlead.cli;

import dev.fairlead.service.client.ServiceClient;
import dev.fairlead.service.http.JsonBody;
import dev.fairlead.service.http.Words;
import dev.fairlead.service.job.JobView;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows a job of a service, and changes how it goes on. */
@Command(
    name = "job",
    description = "Show, pause, resume, cancel, retry or delete a job of a service.",
    mixinStandardHelpOptions = true)
final class JobCommand implements Runnable {
  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields before it runs a command
  JobCommand() {}

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Say what to do: show, pause, resume, cancel, retry or delete");
  }

  @Command(name = "show", description = "Show a job.", mixinStandardHelpOptions = true)
  void show(@Parameters(paramLabel = "ID", description = "The job.") String id, @Mixin AtOptions at)
      throws InterruptedException {
    try (ServiceClient client = at.open()) {
      JobView job = client.job(id);
      print(at.isJson() ? json(job) : JobText.of(job));
    }
  }

  @Command(
      name = "pause",
      description = "Stop a job at the border of a chunk until it is resumed.",
      mixinStandardHelpOptions = true)
  void pause(
      @Parameters(paramLabel = "ID", description = "The job.") String id, @Mixin AtOptions at)
      throws InterruptedException {
    act(id, at, ServiceClient.Action.PAUSE);
  }

  @Command(
      name = "resume",
      description = "Have a paused job go on.",
      mixinStandardHelpOptions = true)
  void resume(
      @Parameters(paramLabel = "ID", description = "The job.") String id, @Mixin AtOptions at)
      throws InterruptedException {
    act(id, at, ServiceClient.Action.RESUME);
  }

  @Command(name = "cancel", description = "End a job.", mixinStandardHelpOptions = true)
  void cancel(
      @Parameters(paramLabel = "ID", description = "The job.") String id, @Mixin AtOptions at)
      throws InterruptedException {
    act(id, at, ServiceClient.Action.CANCEL);
  }

  @Command(
      name = "retry",
      description = "Have a job that failed or was cancelled begin again.",
      mixinStandardHelpOptions = true)
  void retry(
      @Parameters(paramLabel = "ID", description = "The job.") String id, @Mixin AtOptions at)
      throws InterruptedException {
    act(id, at, ServiceClient.Action.RETRY);
  }

  @Command(
      name = "delete",
      description = "Have the service forget a job that is over.",
      mixinStandardHelpOptions = true)
  void delete(
      @Parameters(paramLabel = "ID", description = "The job.") String id, @Mixin AtOptions at)
      throws InterruptedException {
    try (ServiceClient client = at.open()) {
      client.delete(id);
      print(
          at.isJson()
              ? JsonBody.MAPPER.createObjectNode().put("id", id).put("deleted", true) + "\n"
              : "Job %s is deleted.%n".formatted(id));
    }
  }

  private void act(String id, AtOptions at, ServiceClient.Action action)
      throws InterruptedException {
    try (ServiceClient client = at.open()) {
      JobView job = client.act(id, action);
      String told =
          switch (action) {
            case PAUSE -> "Job %s is to be paused; it is %s now.%n";
            case RESUME -> "Job %s goes on; it is %s now.%n";
            case CANCEL -> "Job %s is to end; it is %s now.%n";
            case RETRY -> "Job %s begins again; it is %s now.%n";
          };
      print(at.isJson() ? json(job) : told.formatted(job.id(), Words.of(job.state())));
    }
  }

  private static String json(JobView job) {
    return JsonBody.MAPPER.writeValueAsString(job) + "\n";
  }

  private void print(String text) {
    PrintWriter out = spec.commandLine().getOut();
    out.print(text);
    out.flush();
  }
}
