package dev.fairlead.doctor.run;

import dev.fairlead.device.Profile;
import java.util.List;
import java.util.Optional;

/**
 * What is to be looked at by one process: the machine, a device, or all devices together.
 *
 * @param subject the label of the device, {@value #ALL}, or nothing for the machine
 * @param name what people know it by
 * @param terms how it is found again
 * @param key what it is now, if it is on a card
 * @param faces the names that its card has with each backend
 */
public record Planned(
    String subject,
    String name,
    String terms,
    Optional<Profile.Key> key,
    List<String> faces,
    List<Step> checks) {
  public static final String MACHINE = "";
  public static final String ALL = "all";

  /** A check of the process. */
  public record Step(String id, boolean disturbs, int patienceSeconds) {}

  public Planned {
    faces = List.copyOf(faces);
    checks = List.copyOf(checks);
  }

  /** The same with those checks only that come after so many. */
  Planned after(int done) {
    return new Planned(subject, name, terms, key, faces, checks.subList(done, checks.size()));
  }
}
