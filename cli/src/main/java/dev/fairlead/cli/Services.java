package dev.fairlead.cli;

import dev.fairlead.service.client.ServiceAddress;
import dev.fairlead.service.client.ServiceClient;
import dev.fairlead.service.client.ServiceException;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.ExitCode;

/** The service that a command asks, and what becomes of a command that it refuses. */
final class Services {
  /** For how long a service may be away while a command waits for a job. */
  static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final int FAULT = 500;

  private Services() {}

  /**
   * A client with the token of the environment.
   *
   * @throws IllegalArgumentException if it is no address
   */
  static ServiceClient open(String at, Duration patience) {
    ServiceAddress address;
    try {
      address = ServiceAddress.parse(at);
    } catch (IllegalArgumentException none) {
      throw new IllegalArgumentException("--at: " + none.getMessage(), none);
    }
    Optional<String> token =
        Optional.ofNullable(System.getenv("FAIRLEAD_TOKEN"))
            .map(String::strip)
            .filter(secret -> !secret.isEmpty());
    return ServiceClient.open(address, token, patience);
  }

  /** What the client asked for wrongly is usage; that nothing comes through is I/O. */
  static int exitCode(ServiceException failure) {
    return switch (failure) {
      case ServiceException.Unreachable _, ServiceException.Garbled _ -> TranscodeFailures.STORAGE;
      case ServiceException.Refused refused -> {
        if (refused.status() == FAULT) {
          yield ExitCode.SOFTWARE;
        }
        yield refused.status() < FAULT ? ExitCode.USAGE : TranscodeFailures.STORAGE;
      }
    };
  }
}
