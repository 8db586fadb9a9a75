package dev.fairlead.service.device;

import dev.fairlead.service.http.Answer;
import dev.fairlead.service.http.Call;
import dev.fairlead.service.http.Problem;
import dev.fairlead.service.http.Role;
import dev.fairlead.service.http.Route;
import dev.fairlead.service.http.Status;
import java.util.List;
import java.util.function.BiConsumer;

/** The routes of devices: how each stands, and whether it takes work. */
public final class DeviceRoutes {
  private final List<Lanes> lanes;

  public DeviceRoutes(List<Lanes> lanes) {
    this.lanes = List.copyOf(lanes);
  }

  /** All devices. */
  record DeviceList(List<DeviceView> devices) {}

  public List<Route> all() {
    return List.of(
        Route.get("/v1/devices", Role.READ, "All devices", DeviceList.class, _ -> list()),
        change("drain", "Give a device no more work; what it has it finishes", Lanes::drain),
        change("resume", "Give a drained device work again", Lanes::resume),
        Route.of(
            Route.Method.POST,
            "/v1/drain",
            Role.ADMIN,
            "Give no device more work; what they have they finish, and each is resumed by itself",
            Void.class,
            DeviceList.class,
            _ -> drainAll()));
  }

  private Route change(String verb, String summary, BiConsumer<Lanes, String> how) {
    return Route.of(
        Route.Method.POST,
        "/v1/devices/{label}/" + verb,
        Role.ADMIN,
        summary,
        Void.class,
        DeviceList.class,
        call -> change(call, how));
  }

  private Answer change(Call call, BiConsumer<Lanes, String> how) {
    String label = call.parameter("label");
    how.accept(find(label), label);
    return list();
  }

  private Answer drainAll() {
    lanes.forEach(each -> each.all().forEach(device -> each.drain(device.label())));
    return list();
  }

  private Lanes find(String label) {
    return lanes.stream()
        .filter(each -> each.all().stream().anyMatch(device -> device.label().equals(label)))
        .findFirst()
        .orElseThrow(() ->
            Problem.of(
                Status.NOT_FOUND,
                "There is no device %s; GET /v1/devices lists all".formatted(label)));
  }

  private Answer list() {
    return Answer.json(
        new DeviceList(lanes.stream().flatMap(each -> each.all().stream()).toList()));
  }
}
