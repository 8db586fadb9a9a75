package dev.fairlead.outcome;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The attempts at a piece of work that have failed, and the one rule for what follows: it goes to a
 * device that has not failed it, as long as there is one, and is condemned when so many have.
 *
 * @param attempts in the order in which they failed
 */
public record Failures(List<FailedAttempt> attempts) {
  public static final Failures NONE = new Failures(List.of());

  public Failures after(Device device, Throwable cause) {
    return new Failures(
        Stream.concat(attempts.stream(), Stream.of(new FailedAttempt(device, cause))).toList());
  }

  public boolean areOn(DeviceId device) {
    for (FailedAttempt attempt : attempts) {
      if (attempt.device().id().equals(device)) {
        return true;
      }
    }
    return false;
  }

  public Set<DeviceId> devices() {
    return attempts.stream().map(attempt -> attempt.device().id()).collect(Collectors.toSet());
  }

  /**
   * Whether the work is condemned.
   *
   * @param most how many devices may fail it
   * @param fresh whether a device is left that has not; if none is, attempts are counted, not
   *     devices
   */
  public boolean areTooMany(int most, boolean fresh) {
    return attempts.size() >= most && (!fresh || devices().size() >= most);
  }
}
