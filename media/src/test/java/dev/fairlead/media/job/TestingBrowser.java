package dev.fairlead.media.job;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A real Chromium that plays a package through hls.js, from a server on loopback. */
final class TestingBrowser implements AutoCloseable {
  private static final String HLS = "/META-INF/resources/webjars/hls.js/1.4.12/dist/hls.min.js";
  private static final Map<String, String> TYPES =
      Map.of(
          "m3u8", "application/vnd.apple.mpegurl",
          "m4s", "video/iso.segment",
          "mp4", "video/mp4",
          "vtt", "text/vtt");
  private static final long PATIENCE_SECONDS = 180;

  private final Path output;
  private final Path profile;
  private final HttpServer server;
  private final BlockingQueue<JsonNode> results = new LinkedBlockingQueue<>();

  private TestingBrowser(Path output, Path profile) throws IOException {
    this.output = output;
    this.profile = profile;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
  }

  /** What the page saw when it played the package in {@code output}. */
  static JsonNode play(Path output, Path profile) throws Exception {
    try (TestingBrowser browser = new TestingBrowser(output, profile)) {
      return browser.run();
    }
  }

  private JsonNode run() throws Exception {
    Path log = profile.resolveSibling("chromium.log");
    Process chromium =
        new ProcessBuilder(command())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      JsonNode result = results.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (result == null) {
        throw new AssertionError("Chromium said nothing: " + Files.readString(log));
      }
      return result;
    } finally {
      chromium.descendants().forEach(ProcessHandle::destroyForcibly);
      chromium.destroyForcibly().waitFor();
    }
  }

  private List<String> command() {
    List<String> command = new ArrayList<>();
    command.add("chromium");
    command.addAll(
        List.of(
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--autoplay-policy=no-user-gesture-required",
            "--user-data-dir=" + profile));
    command.add("http://127.0.0.1:%d/player".formatted(server.getAddress().getPort()));
    return command;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      if (path.equals("/result")) {
        byte[] body = exchange.getRequestBody().readAllBytes();
        results.add(JsonMapper.shared().readTree(body));
        exchange.sendResponseHeaders(204, -1);
      } else if (path.equals("/player")) {
        send(exchange, "text/html", resource("player.html"));
      } else if (path.equals("/hls.js")) {
        send(exchange, "text/javascript", resource(HLS));
      } else if (path.startsWith("/out/")) {
        Path file = output.resolve(path.substring("/out/".length())).normalize();
        if (file.startsWith(output) && Files.isRegularFile(file)) {
          String name = file.toString();
          String type = TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "text/plain");
          send(exchange, type, Files.readAllBytes(file));
        } else {
          exchange.sendResponseHeaders(404, -1);
        }
      } else {
        exchange.sendResponseHeaders(404, -1);
      }
    }
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = TestingBrowser.class.getResourceAsStream(name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    }
  }

  private static void send(HttpExchange exchange, String type, byte[] body) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type + "; charset=" + StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
