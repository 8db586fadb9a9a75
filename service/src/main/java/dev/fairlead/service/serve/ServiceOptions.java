package dev.fairlead.service.serve;

import dev.fairlead.service.http.Certificate;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** How a service is run. */
public record ServiceOptions(Address address, Storage storage) {
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
   */
  public record Storage(Path data, List<Path> roots, long minFreeBytes) {
    public Storage {
      roots = List.copyOf(roots);
    }
  }
}
