package dev.fairlead.service.client;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.databind.node.ObjectNode;

/**
 * Events of a service across connections. A connection that is lost is made again and goes on
 * behind the last event that came; {@code reset} is passed on, so that its reader knows what it may
 * have missed.
 */
final class EventStream {
  private static final Duration TO_BEGIN = Duration.ofSeconds(60);

  private final Exchange exchange;
  private final String path;
  private String last = "";

  EventStream(Exchange exchange, String path) {
    this.exchange = exchange;
    this.path = path;
  }

  /**
   * Hands over events until their taker has enough.
   *
   * @param more says whether it wants more
   */
  void follow(Predicate<ObjectNode> more) throws InterruptedException {
    Absence absence = exchange.absence();
    while (true) {
      try (EventConnection events = new EventConnection(exchange.open(request()).body())) {
        absence.over();
        for (Optional<EventConnection.Received> event = events.next();
            event.isPresent();
            event = events.next()) {
          last = event.get().id().isEmpty() ? last : event.get().id();
          if (!more.test(event.get().data())) {
            return;
          }
        }
        absence.await(new IOException("it has ended the stream of events"), 0);
      } catch (IOException lost) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        absence.await(lost, 0);
      }
    }
  }

  private HttpRequest request() {
    HttpRequest.Builder request =
        exchange.request(path, TO_BEGIN).header("Accept", "text/event-stream");
    return last.isEmpty() ? request.build() : request.header("Last-Event-ID", last).build();
  }
}
