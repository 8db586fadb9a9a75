package dev.fairlead.service.device;

import dev.fairlead.device.Device;
import dev.fairlead.health.Health;
import dev.fairlead.pool.PoolSnapshot;
import java.util.Locale;
import java.util.Optional;

/**
 * A device as the API shows it.
 *
 * @param node the machine that it is in, where there are several
 * @param leased slots that are taken
 * @param waiting pieces of work in its queue
 * @param drained whether it takes no work because it was asked to take none
 */
public record DeviceView(
    String id,
    String label,
    String name,
    String kind,
    Optional<String> node,
    Health health,
    int slots,
    int leased,
    long waiting,
    long chunks,
    long failures,
    double busySeconds,
    boolean drained) {
  private static final double NANOS = 1e9;

  static DeviceView of(PoolSnapshot.Entry entry) {
    Device device = entry.device();
    int leased = entry.leases().size();
    return new DeviceView(
        device.id().value(),
        device.label(),
        device.name(),
        device.kind().toString().toLowerCase(Locale.ROOT),
        Optional.empty(),
        entry.health(),
        device.slots(),
        leased,
        Math.max(0, entry.stats().outstanding() - leased),
        entry.stats().completed(),
        entry.stats().failed(),
        entry.stats().busy().toNanos() / NANOS,
        entry.paused());
  }
}
