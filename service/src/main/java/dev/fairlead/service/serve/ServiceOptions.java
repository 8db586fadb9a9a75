package dev.fairlead.service.serve;

import dev.fairlead.service.http.Certificate;
import dev.fairlead.service.webhook.WebhookOptions;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How a service is run.
 *
 * @param webhooks who is told of jobs that end
 */
public record ServiceOptions(Address address, Storage storage, WebhookOptions webhooks) {
  /**
   * How clients reach it.
   *
   * @param names by which clients may call the server, beside its address
   * @param certificate for TLS; without it there is none
   */
  public record Address(
      InetSocketAddress listen, Set<String> names, Optional<Certificate> certificate) {
    public Address {
      names = Set.copyOf(names);
    }

    /** Whether clients have TLS, from this server or from a proxy in front of it. */
    boolean isSecure() {
      return certificate.isPresent() || !listen.getAddress().isLoopbackAddress();
    }
  }

  /**
   * What it reads and writes.
   *
   * @param data where jobs, uploads and packages are kept; one service at a time has it
   * @param roots below which clients may name files
   * @param minFreeBytes what is to be left free on disks
   * @param keep for how long jobs that are over, their packages and unused uploads are kept
   */
  public record Storage(Path data, List<Path> roots, long minFreeBytes, Duration keep) {
    public static final Duration USUAL_KEEP = Duration.ofDays(30);

    public Storage {
      roots = List.copyOf(roots);
    }
  }
}
