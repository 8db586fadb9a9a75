package dev.fairlead.service.device;

import dev.fairlead.device.Device;
import dev.fairlead.health.Health;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.PoolSnapshot;
import dev.fairlead.service.http.Answer;
import dev.fairlead.service.http.Call;
import dev.fairlead.service.http.Problem;
import dev.fairlead.service.http.Role;
import dev.fairlead.service.http.Route;
import dev.fairlead.service.http.Status;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** The routes of devices: how each stands, and whether it takes work. */
public final class DeviceRoutes {
  private static final double NANOS = 1e9;

  private final DevicePool pool;

  public DeviceRoutes(DevicePool pool) {
    this.pool = pool;
  }

  /** All devices. */
  public record DeviceList(List<DeviceView> devices) {}

  /**
   * One device.
   *
   * @param leased slots that are taken
   * @param waiting pieces of work in its queue
   * @param drained whether it takes no work because it was asked to take none
   */
  public record DeviceView(
      String id,
      String label,
      String name,
      String kind,
      Health health,
      int slots,
      int leased,
      long waiting,
      long chunks,
      long failures,
      double busySeconds,
      boolean drained) {
    static DeviceView of(PoolSnapshot.Entry entry) {
      Device device = entry.device();
      int leased = entry.leases().size();
      return new DeviceView(
          device.id().value(),
          device.label(),
          device.name(),
          device.kind().toString().toLowerCase(Locale.ROOT),
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

  public List<Route> all() {
    return List.of(
        Route.get("/v1/devices", Role.READ, "All devices", DeviceList.class, _ -> list()),
        change("drain", "Give a device no more work; what it has it finishes", this::drain),
        change("resume", "Give a drained device work again", this::resume));
  }

  private Route change(String verb, String summary, Consumer<Device> how) {
    return Route.of(
        Route.Method.POST,
        "/v1/devices/{label}/" + verb,
        Role.ADMIN,
        summary,
        Void.class,
        DeviceList.class,
        call -> change(call, how));
  }

  private Answer change(Call call, Consumer<Device> how) {
    how.accept(find(call.parameter("label")));
    return list();
  }

  private void drain(Device device) {
    pool.pause(device.id());
  }

  private void resume(Device device) {
    pool.resume(device.id());
  }

  private Device find(String label) {
    return pool.devices().stream()
        .filter(device -> device.label().equals(label))
        .findFirst()
        .orElseThrow(() ->
            Problem.of(
                Status.NOT_FOUND,
                "There is no device %s; GET /v1/devices lists all".formatted(label)));
  }

  private Answer list() {
    return Answer.json(
        new DeviceList(pool.snapshot().devices().stream().map(DeviceView::of).toList()));
  }
}
