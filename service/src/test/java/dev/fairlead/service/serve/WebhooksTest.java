package dev.fairlead.service.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.service.webhook.WebhookHosts;
import dev.fairlead.service.webhook.WebhookOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What others are told when a job ends. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class WebhooksTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String SECRET = "a secret of ours";

  @TempDir Path directory;

  private static WebhookOptions to(int... ports) {
    List<String> hosts =
        java.util.Arrays.stream(ports).mapToObj(port -> "127.0.0.1:" + port).toList();
    return new WebhookOptions(WebhookHosts.parse(hosts, false), SECRET);
  }

  private static String job(TestingService service, String url) throws Exception {
    return "{\"input\":\"%s\",\"webhook\":\"%s\",\"options\":{\"ladder\":\"160x90\",\"preset\":12}}"
        .formatted(service.clip(1), url);
  }

  /** Waits until the webhook of a job is in a state; its end is told a moment before that. */
  private static JsonNode webhook(TestingService service, String id, String state)
      throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    JsonNode now = service.get("/v1/jobs/" + id).get("webhook");
    while (!now.get("state").asString().equals(state) && System.nanoTime() < end) {
      Thread.onSpinWait();
      now = service.get("/v1/jobs/" + id).get("webhook");
    }
    assertThat(now.get("state").asString()).isEqualTo(state);
    return now;
  }

  @Test
  void theEndOfAJobIsToldOnceAndSigned() throws Exception {
    try (TestingReceiver receiver = new TestingReceiver(0);
        TestingService service = TestingService.open(directory, to(receiver.port()))) {
      String id = service.submit(job(service, receiver.url()));
      TestingReceiver.Delivery told = receiver.next();
      JsonNode body = JSON.readTree(told.body());
      assertThat(body.get("event").asString()).isEqualTo("ended");
      assertThat(body.get("delivery").asString()).isEqualTo(told.id()).startsWith(id);
      assertThat(body.get("job").get("id").asString()).isEqualTo(id);
      assertThat(body.get("job").get("state").asString()).isEqualTo("done");
      assertSigned(told);

      JsonNode shown = webhook(service, id, "delivered");
      assertThat(shown.get("attempts").asInt()).isOne();
      assertThat(shown.get("lastStatus").asInt()).isEqualTo(204);
      assertThat(service.get("/v1/jobs").get("jobs").get(0).get("webhook")).isEqualTo(shown);
      assertThat(receiver.hasMore()).isFalse();
      assertThat(service.mishaps).isEmpty();
    }
  }

  private static void assertSigned(TestingReceiver.Delivery told) throws Exception {
    Map<String, String> parts =
        Stream.of(told.signature().split(",", -1))
            .map(part -> part.split("=", 2))
            .collect(Collectors.toMap(part -> part[0], part -> part[1]));
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    String signed = parts.get("t") + "." + told.body();
    assertThat(parts.get("v1"))
        .isEqualTo(HexFormat.of().formatHex(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8))));
  }

  @Test
  void whatIsNotTakenIsSentAgainWithTheSameIdAndARedirectIsNotFollowed() throws Exception {
    try (TestingReceiver receiver = new TestingReceiver(0, 500, 302);
        TestingService service = TestingService.open(directory, to(receiver.port()))) {
      String id = service.submit(job(service, receiver.url()));
      TestingReceiver.Delivery first = receiver.next();
      TestingReceiver.Delivery second = receiver.next();
      TestingReceiver.Delivery third = receiver.next();
      assertThat(List.of(second.id(), third.id())).containsOnly(first.id());
      assertThat(List.of(second.body(), third.body())).containsOnly(first.body());
      assertThat(webhook(service, id, "delivered").get("attempts").asInt()).isEqualTo(3);
    }
  }

  @Test
  void aReceiverThatIsAwayIsToldByTheNextService() throws Exception {
    int port = free();
    String id;
    try (TestingService service = TestingService.open(directory, to(port))) {
      id = service.submit(job(service, "http://127.0.0.1:%d/".formatted(port)));
      service.follow("/v1/jobs/" + id + "/events", "done");
      JsonNode shown = webhook(service, id, "pending");
      assertThat(shown.has("lastStatus")).isFalse();
      while (shown.get("attempts").asInt() == 0) {
        shown = webhook(service, id, "pending");
      }
      assertThat(shown.get("lastTrouble").asString()).contains("refused");
    }
    String delivery;
    try (TestingReceiver receiver = new TestingReceiver(port);
        TestingService service = TestingService.open(directory, to(port))) {
      delivery = receiver.next().id();
      webhook(service, id, "delivered");
    }
    // Without its index a service does not know what was taken: once more is at least once.
    try (Stream<Path> files = Files.list(directory.resolve("data"))) {
      for (Path file : files.filter(each -> each.toString().contains("index.sqlite")).toList()) {
        Files.delete(file);
      }
    }
    try (TestingReceiver receiver = new TestingReceiver(port);
        TestingService service = TestingService.open(directory, to(port))) {
      assertThat(receiver.next().id()).isEqualTo(delivery);
      webhook(service, id, "delivered");
    }
  }

  private static int free() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Test
  void aReceiverThatHangsStopsNobodyElse() throws Exception {
    try (ServerSocket hangs = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        TestingReceiver receiver = new TestingReceiver(0);
        TestingService service =
            TestingService.open(directory, to(hangs.getLocalPort(), receiver.port()))) {
      String hung =
          service.submit(job(service, "http://127.0.0.1:%d/".formatted(hangs.getLocalPort())));
      service.follow("/v1/jobs/" + hung + "/events", "done");
      String id = service.submit(job(service, receiver.url()));
      assertThat(receiver.next().id()).startsWith(id);
      assertThat(webhook(service, hung, "pending").get("attempts").asInt()).isLessThan(2);
    }
  }

  @Test
  void aJobThatIsDeletedIsToldAllTheSame() throws Exception {
    int port = free();
    try (TestingService service = TestingService.open(directory, to(port))) {
      String id = service.submit(job(service, "http://127.0.0.1:%d/".formatted(port)));
      service.follow("/v1/jobs/" + id + "/events", "done");
      assertThat(service.send(service.request("/v1/jobs/" + id).DELETE().build()).statusCode())
          .isEqualTo(204);
      try (TestingReceiver receiver = new TestingReceiver(port)) {
        assertThat(receiver.next().id()).startsWith(id);
      }
    }
  }

  @Test
  void hostsThatNobodyNamedAreRefused() throws Exception {
    try (TestingService service = TestingService.open(directory, to(9))) {
      for (String url : List.of("http://example.org/", "http://127.0.0.1/", "nowhere")) {
        HttpResponse<String> refused = service.post("/v1/jobs", job(service, url));
        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(JSON.readTree(refused.body()).get("errors").get(0).get("pointer").asString())
            .isEqualTo("/webhook");
      }
      assertThat(service.get("/v1/jobs").get("jobs").size()).isZero();
    }
    try (TestingService silent = TestingService.open(directory.resolve("other"))) {
      assertThat(silent.post("/v1/jobs", job(silent, "http://127.0.0.1:9/")).body())
          .contains("sends no webhooks");
    }
  }
}
