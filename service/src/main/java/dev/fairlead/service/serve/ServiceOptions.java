package dev.fairlead.service.serve;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * How a service is run.
 *
 * @param data where jobs, uploads and packages are kept; one service at a time has it
 * @param roots below which clients may name files
 * @param names by which clients may call the server, beside its address
 * @param minFreeBytes what is to be left free on disks
 */
public record ServiceOptions(
    InetSocketAddress listen, Path data, List<Path> roots, Set<String> names, long minFreeBytes) {
  public ServiceOptions {
    roots = List.copyOf(roots);
    names = Set.copyOf(names);
  }
}
