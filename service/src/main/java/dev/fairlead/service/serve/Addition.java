package dev.fairlead.service.serve;

import dev.fairlead.service.device.Lanes;
import dev.fairlead.service.http.Route;
import java.util.List;

/**
 * What another module adds to a service. Its routes are checked and described as all others are,
 * its devices shown and drained beside those of the pool.
 *
 * @param routes at paths that the service has no route for
 * @param lanes devices that are not in the pool
 */
public record Addition(List<Route> routes, List<Lanes> lanes) {
  public Addition {
    routes = List.copyOf(routes);
    lanes = List.copyOf(lanes);
  }
}
