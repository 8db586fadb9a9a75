package dev.fairlead.service.webhook;

import dev.fairlead.service.index.DeliveryTable;
import dev.fairlead.service.index.IndexException;
import java.io.IOException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * Sends what one host is to be told, one delivery after the other on a thread of its own: a host
 * that hangs stops only what is meant for it.
 */
final class HostDeliveries implements AutoCloseable {
  private static final Duration AFTER_MISHAP = Duration.ofMinutes(1);
  private static final Duration AT_CLOSE = Duration.ofSeconds(1);
  private static final int OK = 200;
  private static final int NOT_OK = 300;

  private final String host;
  private final DeliveryTable table;
  private final WebhookOptions options;
  private final InstantSource clock;
  private final BiConsumer<String, Throwable> mishaps;
  private final Semaphore news = new Semaphore(0);
  private final Thread thread;
  private volatile boolean closed;

  HostDeliveries(
      String host,
      DeliveryTable table,
      WebhookOptions options,
      InstantSource clock,
      BiConsumer<String, Throwable> mishaps) {
    this.host = host;
    this.table = table;
    this.options = options;
    this.clock = clock;
    this.mishaps = mishaps;
    this.thread = Thread.ofVirtual().name("webhooks to " + host).start(this::run);
  }

  /** Something may be due. */
  void wake() {
    news.release();
  }

  private void run() {
    while (!closed) {
      try {
        Duration wait = work();
        if (wait.isPositive()) {
          boolean _ = news.tryAcquire(wait.toNanos(), TimeUnit.NANOSECONDS);
        }
      } catch (InterruptedException ends) {
        return;
      }
    }
  }

  /** Sends the next delivery if it is due; says how long nothing is to be done. */
  private Duration work() {
    news.drainPermits();
    try {
      Optional<DeliveryTable.Row> next = table.next(host);
      if (next.isEmpty()) {
        return BackOff.LONGEST;
      }
      Duration left = BackOff.until(next.get().due(), clock.instant());
      if (left.isPositive()) {
        return left;
      }
      DeliveryTable.Answer answer = send(next.get());
      if (!closed) { // else it is sent once more by the next service
        table.put(after(next.get(), answer));
      }
      return Duration.ZERO;
    } catch (IndexException | IllegalStateException failure) {
      if (!closed) {
        mishaps.accept("webhooks to " + host, failure);
      }
      return AFTER_MISHAP;
    }
  }

  private DeliveryTable.Row after(DeliveryTable.Row sent, DeliveryTable.Answer answer) {
    boolean taken = answer.status().filter(status -> status >= OK && status < NOT_OK).isPresent();
    int attempts = sent.attempts() + 1;
    DeliveryTable.State state = DeliveryTable.State.PENDING;
    if (taken) {
      state = DeliveryTable.State.DELIVERED;
    } else if (BackOff.isOver(attempts)) {
      state = DeliveryTable.State.FAILED;
    }
    return sent.attempted(state, answer, clock.instant().plus(BackOff.after(attempts)));
  }

  private DeliveryTable.Answer send(DeliveryTable.Row delivery) {
    try {
      URI uri = options.hosts().read(delivery.url());
      Instant now = clock.instant();
      Map<String, String> headers = new LinkedHashMap<>();
      headers.put("Content-Type", "application/json");
      headers.put("User-Agent", "fairlead");
      headers.put("Fairlead-Delivery", delivery.id());
      headers.put("Fairlead-Signature", Signature.of(options.secret(), now, delivery.body()));
      int status =
          WebhookPost.send(
              options.hosts().address(uri),
              uri,
              headers,
              delivery.body().getBytes(StandardCharsets.UTF_8));
      return new DeliveryTable.Answer(Optional.of(status), "");
    } catch (UnknownHostException unknown) {
      return new DeliveryTable.Answer(Optional.empty(), "no host has the name " + host);
    } catch (IOException | IllegalArgumentException none) {
      return new DeliveryTable.Answer(Optional.empty(), String.valueOf(none.getMessage()));
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      boolean _ = thread.join(AT_CLOSE); // a lookup of a name cannot be interrupted
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    }
  }
}
