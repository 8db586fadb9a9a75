package dev.fairlead.service.http;

import java.io.InputStream;
import java.util.Map;
import java.util.Optional;

/**
 * A request that has come to its route.
 *
 * @param sender who sends it
 * @param parameters what stands in the places of the route's path
 * @param query the last value of each name
 */
public record Call(
    Sender sender,
    Map<String, String> parameters,
    Map<String, String> query,
    Headers headers,
    BodySource body) {
  public Call {
    parameters = Map.copyOf(parameters);
    query = Map.copyOf(query);
  }

  /**
   * Where a request comes from.
   *
   * @param caller whom its credentials stand for
   */
  public record Sender(Caller caller, Gate.Credentials credentials) {}

  public Caller caller() {
    return sender.caller;
  }

  /** The headers of a request, by names in any case. */
  @FunctionalInterface
  public interface Headers {
    Optional<String> value(String name);
  }

  /** The bytes of a request; read once at most. */
  @FunctionalInterface
  public interface BodySource {
    InputStream open();
  }

  /** What stands in a place of the path. */
  public String parameter(String name) {
    String value = parameters.get(name);
    if (value == null) {
      throw new IllegalArgumentException("The route has no place " + name);
    }
    return value;
  }

  public Optional<String> query(String name) {
    return Optional.ofNullable(query.get(name)).filter(value -> !value.isEmpty());
  }

  /** The body as a record; the places of what is wrong with it are in the {@link Problem}. */
  public <T> T body(Class<T> type) {
    return JsonBody.read(this, type);
  }

  /**
   * A number of the query.
   *
   * @throws Problem if it is none, or out of range
   */
  public int number(String name, int usual, int least, int most) {
    Optional<String> text = query(name);
    if (text.isEmpty()) {
      return usual;
    }
    try {
      int value = Integer.parseInt(text.get());
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException none) {
      // Said below.
    }
    throw Problem.of(
        Status.BAD_REQUEST,
        "%s is \"%s\"; it can be a number from %d to %d".formatted(name, text.get(), least, most));
  }
}
