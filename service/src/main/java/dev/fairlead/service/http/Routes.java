package dev.fairlead.service.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** The table of all routes. Where two could take a path, the one with fewer places does. */
public final class Routes {
  private static final String REST = "...}";

  private final List<Route> all;

  /**
   * A table.
   *
   * @throws IllegalArgumentException if two routes are the same
   */
  public Routes(List<Route> all) {
    this.all = List.copyOf(all);
    for (int first = 0; first < this.all.size(); first++) {
      for (int second = first + 1; second < this.all.size(); second++) {
        Route one = this.all.get(first);
        Route other = this.all.get(second);
        if (one.method() == other.method() && shape(one.path()).equals(shape(other.path()))) {
          throw new IllegalArgumentException(
              "Two routes are %s %s".formatted(one.method(), one.path()));
        }
      }
    }
  }

  private static String shape(String path) {
    return path.replaceAll("\\{[^}]*}", "{}");
  }

  public List<Route> all() {
    return all;
  }

  /** A route that fits, with what stands in its places. */
  record Match(Route route, Map<String, String> parameters) {}

  /**
   * The route of a request; HEAD asks as GET does.
   *
   * @throws Problem if there is none
   */
  Match find(String method, String path) {
    List<String> segments = List.of(path.split("/", -1));
    List<Match> fitting = new ArrayList<>();
    for (Route route : all) {
      parameters(route, segments)
          .ifPresent(parameters -> fitting.add(new Match(route, parameters)));
    }
    if (fitting.isEmpty()) {
      throw Problem.of(
          Status.NOT_FOUND,
          "There is nothing at %s; GET /v1/openapi.json lists all".formatted(path));
    }
    String asked = method.equals("HEAD") ? "GET" : method;
    return fitting.stream()
        .filter(match -> match.route.method().name().equals(asked))
        .min((one, other) -> Integer.compare(one.parameters.size(), other.parameters.size()))
        .orElseThrow(() -> notAllowed(method, path, fitting));
  }

  private static Problem notAllowed(String method, String path, List<Match> fitting) {
    TreeSet<String> allowed = new TreeSet<>();
    fitting.forEach(match -> allowed.add(match.route.method().name()));
    if (allowed.contains("GET")) {
      allowed.add("HEAD");
    }
    String list = String.join(", ", allowed);
    return Problem.of(
            Status.METHOD_NOT_ALLOWED, "%s takes %s, not %s".formatted(path, list, method))
        .withHeader("Allow", list);
  }

  private static Optional<Map<String, String>> parameters(Route route, List<String> segments) {
    String[] pattern = route.path().split("/", -1);
    Map<String, String> parameters = new LinkedHashMap<>();
    for (int place = 0; place < pattern.length; place++) {
      if (place >= segments.size()) {
        return Optional.empty();
      }
      String wanted = pattern[place];
      String there = segments.get(place);
      if (wanted.endsWith(REST)) {
        String rest = String.join("/", segments.subList(place, segments.size()));
        parameters.put(wanted.substring(1, wanted.length() - REST.length()), rest);
        return rest.isEmpty() ? Optional.empty() : Optional.of(parameters);
      }
      if (wanted.startsWith("{")) {
        if (there.isEmpty()) {
          return Optional.empty();
        }
        parameters.put(wanted.substring(1, wanted.length() - 1), there);
      } else if (!wanted.equals(there)) {
        return Optional.empty();
      }
    }
    return segments.size() == pattern.length ? Optional.of(parameters) : Optional.empty();
  }
}
