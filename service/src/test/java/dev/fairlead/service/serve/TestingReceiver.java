package dev.fairlead.service.serve;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A server that webhooks are sent to; it answers with given statuses, then with 204. */
final class TestingReceiver implements AutoCloseable {
  private final HttpServer server;
  private final Deque<Integer> statuses;
  private final BlockingQueue<Delivery> taken = new LinkedBlockingQueue<>();

  record Delivery(String id, String signature, String body) {}

  /** One at a port; 0 takes a free one. */
  TestingReceiver(int port, Integer... statuses) throws IOException {
    this.statuses = new ArrayDeque<>(List.of(statuses));
    this.server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.createContext("/", this::take);
    server.start();
  }

  private void take(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Integer next = statuses.poll();
    int status = next == null ? 204 : next;
    if (status == 302) {
      exchange.getResponseHeaders().add("Location", "/elsewhere");
    }
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
    taken.add(
        new Delivery(
            exchange.getRequestHeaders().getFirst("Fairlead-Delivery"),
            exchange.getRequestHeaders().getFirst("Fairlead-Signature"),
            body));
  }

  int port() {
    return server.getAddress().getPort();
  }

  String url() {
    return "http://127.0.0.1:%d/hook?a=b".formatted(port());
  }

  /** Waits for the next that comes. */
  Delivery next() throws InterruptedException {
    Delivery next = taken.poll(1, TimeUnit.MINUTES);
    if (next == null) {
      throw new AssertionError("Nothing was delivered");
    }
    return next;
  }

  boolean hasMore() {
    return !taken.isEmpty();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
