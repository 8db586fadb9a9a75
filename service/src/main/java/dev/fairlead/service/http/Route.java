package dev.fairlead.service.http;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * One thing that can be asked: where, by whom, with what, and what is answered.
 *
 * @param path with places in braces: {@code /v1/jobs/{id}}; the last may end in dots and then takes
 *     the rest: {@code /v1/jobs/{id}/artifacts/{path...}}
 * @param in the record of the body; {@code Void} if there is none
 * @param out the record of the answer; {@code Void} if it is no JSON, or nothing
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
   * @param also statuses with which the record of the answer may come besides
   * @param type of an answer that is no JSON
   */
  public record Text(
      String summary,
      Map<String, String> query,
      List<Status> refusals,
      List<Status> also,
      Optional<String> type) {
    public Text {
      query = Map.copyOf(query);
      refusals = List.copyOf(refusals);
      also = List.copyOf(also);
    }

    static Text of(String summary) {
      return new Text(summary, Map.of(), List.of(), List.of(), Optional.empty());
    }
  }

  /** The type of an answer that is a file, of whatever type that is, whole or in part. */
  public static final String ANY_FILE = "*/*";

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
    return new Route(method, path, role, Text.of(summary), in, out, work);
  }

  /** Whether it may change something. */
  public boolean changes() {
    return method.changes();
  }

  /** The same route, answered by other work. */
  public Route with(Work other) {
    return new Route(method, path, role, text, in, out, other);
  }

  private Route with(Text other) {
    return new Route(method, path, role, other, in, out, work);
  }

  public Route withQuery(Map<String, String> query) {
    return with(new Text(text.summary, query, text.refusals, text.also, text.type));
  }

  public Route refusing(Status... refusals) {
    return with(new Text(text.summary, text.query, List.of(refusals), text.also, text.type));
  }

  /** Answers its record with these statuses, too. */
  public Route alsoWith(Status... also) {
    return with(new Text(text.summary, text.query, text.refusals, List.of(also), text.type));
  }

  /** Answers something that is no JSON. */
  public Route ofType(String type) {
    return with(new Text(text.summary, text.query, text.refusals, text.also, Optional.of(type)));
  }
}
