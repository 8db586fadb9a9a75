package dev.fairlead.service.client;

import dev.fairlead.service.http.JsonBody;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Requests to one service and their answers. A service that goes away is asked again until it is
 * back, as long as the patience lasts; one that has never answered is given up at once.
 * Thread-safe.
 */
final class Exchange implements AutoCloseable {
  /** Fields that only a newer server knows are left aside. */
  static final JsonMapper JSON =
      JsonBody.MAPPER.rebuild().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private static final Duration TO_CONNECT = Duration.ofSeconds(10);
  private static final int OK = 200;
  private static final int REDIRECT = 300;
  private static final int UNAUTHORIZED = 401;
  private static final int TOO_MANY = 429;
  private static final int BAD_GATEWAY = 502;
  private static final int UNAVAILABLE = 503;
  private static final int GATEWAY_TIMEOUT = 504;
  private static final int MOST_WORDS = 1_000;

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .connectTimeout(TO_CONNECT)
          .build();
  private final ServiceAddress address;
  private final Optional<String> token;
  private final Duration patience;
  private volatile boolean known;

  Exchange(ServiceAddress address, Optional<String> token, Duration patience) {
    this.address = address;
    this.token = token;
    this.patience = patience;
  }

  /** A request, which says who asks. */
  HttpRequest.Builder request(String path, Duration timeout) {
    HttpRequest.Builder request = HttpRequest.newBuilder(address.of(path)).timeout(timeout);
    token.ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
    return request;
  }

  Absence absence() {
    return new Absence(address, known ? patience : Duration.ZERO);
  }

  /** An answer of any status but those that ask for another try. */
  HttpResponse<byte[]> send(HttpRequest request) throws InterruptedException {
    Absence absence = absence();
    while (true) {
      try {
        HttpResponse<byte[]> answer = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
        if (!asksForAnotherTry(answer) || !known) {
          known = true;
          return answer;
        }
        absence.await(new IOException(words(answer.statusCode(), answer.body())), later(answer));
      } catch (IOException away) {
        absence.await(away, 0);
      }
    }
  }

  /**
   * The body of an answer, still to be read.
   *
   * @throws IOException if none comes
   * @throws ServiceException.Refused if the service refuses
   */
  HttpResponse<InputStream> open(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<InputStream> answer =
        http.send(request, HttpResponse.BodyHandlers.ofInputStream());
    if (isGood(answer.statusCode())) {
      known = true;
      return answer;
    }
    try (InputStream in = answer.body()) {
      byte[] body = in.readNBytes(MOST_WORDS);
      if (asksForAnotherTry(answer)) {
        throw new IOException(words(answer.statusCode(), body));
      }
      throw refused(answer.statusCode(), body);
    }
  }

  /** The record that a good answer holds. */
  <T> T read(HttpRequest request, Class<T> type) throws InterruptedException {
    HttpResponse<byte[]> answer = requireGood(send(request));
    try {
      return JSON.readValue(answer.body(), type);
    } catch (JacksonException foreign) {
      throw new ServiceException.Garbled(
          "%s answers, but not as a service of Fairlead does; is --at right?".formatted(address));
    }
  }

  HttpResponse<byte[]> requireGood(HttpResponse<byte[]> answer) {
    if (!isGood(answer.statusCode())) {
      throw refused(answer.statusCode(), answer.body());
    }
    return answer;
  }

  static boolean isGood(int status) {
    return status >= OK && status < REDIRECT;
  }

  private static boolean asksForAnotherTry(HttpResponse<?> answer) {
    int status = answer.statusCode();
    return status == TOO_MANY
        || status == BAD_GATEWAY
        || status == UNAVAILABLE
        || status == GATEWAY_TIMEOUT;
  }

  private static long later(HttpResponse<?> answer) {
    try {
      return 1_000 * answer.headers().firstValueAsLong("Retry-After").orElse(0);
    } catch (NumberFormatException aDate) {
      return 0;
    }
  }

  ServiceException.Refused refused(int status, byte[] body) {
    if (status == UNAUTHORIZED) {
      return new ServiceException.Refused(
          status,
          token.isPresent()
              ? "The service at %s does not know the token in FAIRLEAD_TOKEN".formatted(address)
              : "The service at %s takes a token; put one into FAIRLEAD_TOKEN ('fairlead token add' makes one)"
                  .formatted(address));
    }
    return new ServiceException.Refused(status, words(status, body));
  }

  /** What a problem's details say; else the status. */
  private String words(int status, byte[] body) {
    try {
      JsonNode problem = JSON.readTree(body);
      JsonNode place = problem.at("/errors/0/pointer");
      String detail = problem.path("detail").asString("");
      if (!detail.isBlank()) {
        return place.asString("").isEmpty() ? detail : place.asString() + ": " + detail;
      }
    } catch (JacksonException foreign) {
      // Said below.
    }
    String text = new String(body, StandardCharsets.UTF_8).strip();
    return "%s answers with HTTP %d%s; is --at right?"
        .formatted(address, status, text.isEmpty() || text.length() > 80 ? "" : " (" + text + ")");
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
