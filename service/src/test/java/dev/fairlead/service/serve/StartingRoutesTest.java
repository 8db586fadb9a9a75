package dev.fairlead.service.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.service.access.Access;
import dev.fairlead.service.access.Sessions;
import dev.fairlead.service.access.Tokens;
import dev.fairlead.service.http.HttpServer;
import dev.fairlead.service.http.Routes;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a service answers before it has its jobs. */
class StartingRoutesTest {
  @TempDir Path directory;

  @Test
  void itIsThereAndNotReadyAndThenItIs() throws Exception {
    Access access = new Access(Tokens.below(directory), new Sessions(System::nanoTime), Set.of());
    try (HttpServer server =
            HttpServer.open(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Optional.empty(),
                StartingRoutes.all(),
                access,
                (_, mistake) -> {
                  throw new AssertionError(mistake);
                });
        HttpClient client = HttpClient.newHttpClient()) {
      assertThat(ask(client, server, "GET", "/v1/health").statusCode()).isEqualTo(200);
      HttpResponse<String> ready = ask(client, server, "GET", "/v1/ready");
      assertThat(ready.statusCode()).isEqualTo(503);
      assertThat(ready.body()).isEqualTo("{\"ready\":false,\"reasons\":[\"starting\"]}");
      for (String path : List.of("/", "/v1/jobs", "/v1/jobs/x/artifacts/a/b")) {
        for (String method : List.of("GET", "POST", "PUT", "PATCH", "DELETE")) {
          HttpResponse<String> early = ask(client, server, method, path);
          assertThat(early.statusCode()).as(method + path).isEqualTo(503);
          assertThat(early.headers().firstValue("Retry-After")).contains("1");
          assertThat(early.body()).contains("The server is starting");
        }
      }
      server.serve(new Routes(List.of(StatusRoutes.ready(List::of))));
      assertThat(ask(client, server, "GET", "/v1/ready").statusCode()).isEqualTo(200);
      assertThat(ask(client, server, "GET", "/v1/jobs").statusCode()).isEqualTo(404);
    }
  }

  private static HttpResponse<String> ask(
      HttpClient client, HttpServer server, String method, String path) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create(server.uri() + path))
            .timeout(Duration.ofMinutes(1))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
