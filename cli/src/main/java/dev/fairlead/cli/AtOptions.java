package dev.fairlead.cli;

import dev.fairlead.service.client.ServiceAddress;
import dev.fairlead.service.client.ServiceClient;
import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which service is asked, and how its answer is printed. */
final class AtOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--at",
      paramLabel = "URL|HOST:PORT",
      defaultValue = ServiceAddress.USUAL,
      description =
          "Where the service is (default: ${DEFAULT-VALUE}). A token is taken from"
              + " FAIRLEAD_TOKEN.")
  private String at;

  @Option(names = "--json", description = "Print what the service answers.")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields before it runs a command
  AtOptions() {}

  boolean isJson() {
    return json;
  }

  /** A client that does not wait for a service that is away. */
  ServiceClient open() {
    try {
      return Services.open(at, Duration.ZERO);
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), String.valueOf(wrong.getMessage()), wrong);
    }
  }
}
