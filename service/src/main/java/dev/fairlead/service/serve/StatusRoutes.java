package dev.fairlead.service.serve;

import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.PoolSnapshot;
import dev.fairlead.service.http.Answer;
import dev.fairlead.service.http.Role;
import dev.fairlead.service.http.Route;
import dev.fairlead.service.http.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The routes by which others see whether the service is there, and takes work. */
final class StatusRoutes {
  private final DevicePool pool;
  private final BooleanSupplier draining;
  private final BooleanSupplier shortOfDisk;

  /** Whether the service is there. */
  record HealthView(String status) {}

  /** Whether the service takes work, and what is in the way. */
  record ReadyView(boolean ready, List<String> reasons) {}

  StatusRoutes(DevicePool pool, BooleanSupplier draining, BooleanSupplier shortOfDisk) {
    this.pool = pool;
    this.draining = draining;
    this.shortOfDisk = shortOfDisk;
  }

  List<Route> all() {
    return List.of(health(), ready(this::reasons));
  }

  static Route health() {
    return Route.get(
        "/v1/health",
        Role.ANYONE,
        "Whether the server is there; touches no disk",
        HealthView.class,
        _ -> Answer.json(new HealthView("up")));
  }

  /**
   * The route of readiness.
   *
   * @param reasons why the server is not ready
   */
  static Route ready(Supplier<List<String>> reasons) {
    return Route.get(
            "/v1/ready",
            Role.ANYONE,
            "Whether the server takes work; 503 with the reasons if not",
            ReadyView.class,
            _ -> answer(reasons.get()))
        .alsoWith(Status.UNAVAILABLE);
  }

  private List<String> reasons() {
    List<String> reasons = new ArrayList<>();
    boolean drained = pool.snapshot().devices().stream().allMatch(PoolSnapshot.Entry::paused);
    if (draining.getAsBoolean() || drained) {
      reasons.add("draining");
    }
    if (shortOfDisk.getAsBoolean()) {
      reasons.add("short of disk");
    }
    if (!drained && pool.devices().stream().noneMatch(device -> pool.serves(device.id()))) {
      reasons.add("no healthy device");
    }
    return reasons;
  }

  private static Answer answer(List<String> reasons) {
    return new Answer.Json(
        reasons.isEmpty() ? Answer.OK : Status.UNAVAILABLE.code(),
        new ReadyView(reasons.isEmpty(), reasons),
        Map.of());
  }
}
