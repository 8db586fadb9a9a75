package dev.fairlead.service.http;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One thing that can be asked: where, by whom, with what, and what is answered.
 *
 * @param path with places in braces: {@code /v1/jobs/{id}}; the last may end in dots and then takes
 *     the rest: {@code /v1/jobs/{id}/artifacts/{path...}}
 * @param in the record of the body; {@code Void} if there is none
 * @param out the record of the answer; {@code Void} if it is no JSON
 */
public record Route(
    Method method, String path, Role role, Text text, Class<?> in, Class<?> out, Work work) {
  /** How it is asked. */
  public enum Method {
    GET,
    POST,
    PUT,
    PATCH,
    DELETE;

    /** Whether it may change something. */
    boolean changes() {
      return this != GET;
    }

    String key() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * What the description says of a route.
   *
   * @param query names of the query, and what each means
   * @param refusals with which statuses it may be refused, beside those of all routes
   */
  public record Text(String summary, Map<String, String> query, List<Status> refusals) {
    public Text {
      query = Map.copyOf(query);
      refusals = List.copyOf(refusals);
    }
  }

  /** Answers a call; on a virtual thread, so it may block. */
  @FunctionalInterface
  public interface Work {
    Answer answer(Call call) throws InterruptedException;
  }

  public static Route get(String path, Role role, String summary, Class<?> out, Work work) {
    return of(Method.GET, path, role, summary, Void.class, out, work);
  }

  public static Route of(
      Method method, String path, Role role, String summary, Class<?> in, Class<?> out, Work work) {
    return new Route(method, path, role, new Text(summary, Map.of(), List.of()), in, out, work);
  }

  public Route withQuery(Map<String, String> query) {
    return new Route(
        method, path, role, new Text(text.summary, query, text.refusals), in, out, work);
  }

  public Route refusing(Status... refusals) {
    Text more = new Text(text.summary, text.query, List.of(refusals));
    return new Route(method, path, role, more, in, out, work);
  }
}
