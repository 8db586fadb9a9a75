package dev.fairlead.service.http;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Why a request is refused, as problem details (RFC 9457). */
public final class Problem extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * What is wrong in one place of a body.
   *
   * @param pointer a JSON pointer (RFC 6901)
   */
  public record Flaw(String pointer, String detail) {}

  /**
   * The body of an answer.
   *
   * @param title what kind of problem it is, in the words of HTTP
   * @param errors what is wrong with the body, place by place
   */
  public record Details(int status, String title, String detail, List<Flaw> errors) {
    public Details {
      errors = List.copyOf(errors);
    }
  }

  private final transient Details details;
  private final transient Map<String, String> headers;

  private Problem(Status status, String detail, List<Flaw> errors, Map<String, String> headers) {
    super(detail, null, false, false);
    this.details = new Details(status.code(), status.title(), detail, errors);
    this.headers = Map.copyOf(headers);
  }

  public static Problem of(Status status, String detail) {
    return new Problem(status, detail, List.of(), Map.of());
  }

  /** A body that cannot be used, by its flaws. */
  public static Problem body(Status status, String detail, List<Flaw> flaws) {
    return new Problem(status, detail, flaws, Map.of());
  }

  /** A body that makes no sense in these places. */
  public static Problem flaws(List<Flaw> flaws) {
    return body(Status.UNPROCESSABLE, flaws.getFirst().detail(), flaws);
  }

  public static Problem flaw(String pointer, String detail) {
    return flaws(List.of(new Flaw(pointer, detail)));
  }

  public Problem withHeader(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    Status status = Status.of(details.status());
    return new Problem(status, details.detail(), details.errors(), more);
  }

  public Details details() {
    return details;
  }

  public Map<String, String> headers() {
    return headers;
  }
}
