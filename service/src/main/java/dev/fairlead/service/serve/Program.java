package dev.fairlead.service.serve;

import java.util.List;
import java.util.function.BiConsumer;

/**
 * The program that a service runs in.
 *
 * @param version as the description of the API says it
 * @param mishaps takes errors of Fairlead's own, with what was asked
 * @param additions of other modules
 */
public record Program(
    String version, BiConsumer<String, Throwable> mishaps, List<Addition> additions) {
  public Program {
    additions = List.copyOf(additions);
  }
}
