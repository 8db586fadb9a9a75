package dev.fairlead.service.serve;

import dev.fairlead.service.http.Answer;
import dev.fairlead.service.http.Problem;
import dev.fairlead.service.http.Role;
import dev.fairlead.service.http.Route;
import dev.fairlead.service.http.Routes;
import dev.fairlead.service.http.Status;
import java.util.ArrayList;
import java.util.List;

/** What a service answers while it reads the logs of its jobs: it is there, and is not ready. */
final class StartingRoutes {
  private StartingRoutes() {}

  static Routes all() {
    List<Route> all = new ArrayList<>();
    all.add(StatusRoutes.health());
    all.add(StatusRoutes.ready(() -> List.of("starting")));
    for (Route.Method method : Route.Method.values()) {
      for (String path : List.of("/", "/{path...}")) {
        all.add(
            Route.of(
                method, path, Role.ANYONE, "Nothing yet", Void.class, Void.class, _ -> refused()));
      }
    }
    return new Routes(all);
  }

  private static Answer refused() {
    throw Problem.of(Status.UNAVAILABLE, "The server is starting").withHeader("Retry-After", "1");
  }
}
