package dev.fairlead.benchmarks;

import dev.fairlead.service.client.ServiceAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients that follow all events of a service and look at nothing but their numbers: after a number
 * comes the next, unless the service says that some are missing. A connection that ends is made
 * again behind the last event.
 */
final class EventReaders implements AutoCloseable {
  /** So far back a service has its events. */
  private static final int KEPT = 9_000;

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI uri;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicLong events = new AtomicLong();
  private final AtomicLong chunks = new AtomicLong();
  private final AtomicLong lost = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private volatile String newest = "none-0";
  private volatile boolean closed;

  private EventReaders(URI uri) {
    this.uri = uri;
  }

  static EventReaders open(ServiceAddress address, int clients) {
    EventReaders readers = new EventReaders(URI.create(address + "/v1/events"));
    for (int client = 0; client < clients; client++) {
      readers.threads.add(
          Thread.ofVirtual().name("reader " + client).start(() -> readers.new Reader().run()));
    }
    return readers;
  }

  int size() {
    return threads.size();
  }

  /** How many follow now. */
  int open() {
    return open.get();
  }

  long events() {
    return events.get();
  }

  /** How often one has heard that a chunk was begun. */
  long chunks() {
    return chunks.get();
  }

  /** Events that are missing without a word. */
  long lost() {
    return lost.get();
  }

  /** The id of an event that the service has told some time ago. */
  String earlier() {
    String latest = newest;
    long number = Math.max(0, EventNumbers.number(latest) - KEPT);
    return latest.substring(0, latest.lastIndexOf('-') + 1) + number;
  }

  /** Connections that were refused. */
  long failed() {
    return failed.get();
  }

  private final class Reader {
    private static final int OK = 200;
    private static final long PAUSE_MILLIS = 100;

    private final EventNumbers numbers = new EventNumbers();

    void run() {
      while (!closed) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        if (!numbers.last().isEmpty()) {
          request.header("Last-Event-ID", numbers.last());
        }
        try {
          HttpResponse<InputStream> answer =
              http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
          if (answer.statusCode() != OK) {
            failed.incrementAndGet();
          }
          follow(answer.body());
          Thread.sleep(PAUSE_MILLIS);
        } catch (IOException away) {
          if (!closed && numbers.last().isEmpty()) {
            failed.incrementAndGet();
          }
        } catch (InterruptedException over) {
          return;
        }
      }
    }

    private void follow(InputStream body) throws IOException {
      try (BufferedReader lines =
          new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
        open.incrementAndGet();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          take(line);
        }
      } finally {
        open.decrementAndGet();
      }
    }

    private void take(String line) {
      long before = numbers.lost();
      String event = numbers.take(line);
      if (event.isEmpty()) {
        return;
      }
      events.incrementAndGet();
      lost.addAndGet(numbers.lost() - before);
      newest = numbers.last();
      if (event.equals("started")) {
        chunks.incrementAndGet();
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    threads.forEach(Thread::interrupt);
    http.shutdownNow();
  }
}
