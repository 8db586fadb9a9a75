package dev.fairlead.service.client;

import dev.fairlead.service.http.Watch;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Server-sent events of one connection, one after the other. */
final class EventConnection implements AutoCloseable {
  /** A server says something every 15 s. */
  private static final Duration SILENCE = Duration.ofSeconds(45);

  private final BufferedReader lines;
  private final Watch watch;

  /**
   * An event.
   *
   * @param id of its place in the stream, or empty
   */
  record Received(String id, ObjectNode data) {}

  EventConnection(InputStream in) {
    this.lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    this.watch = Watch.of(in, SILENCE);
  }

  /**
   * Waits for the next; empty if the server has ended the stream.
   *
   * @throws IOException if the connection is lost, or silent for too long
   */
  Optional<Received> next() throws IOException {
    String id = "";
    StringBuilder data = new StringBuilder();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      watch.heard();
      if (line.startsWith("id:")) {
        id = line.substring("id:".length()).strip();
      } else if (line.startsWith("data:")) {
        data.append(line.substring("data:".length()).strip());
      } else if (line.isEmpty() && !data.isEmpty()) {
        return Optional.of(new Received(id, parse(data.toString())));
      }
    }
    return Optional.empty();
  }

  private static ObjectNode parse(String data) throws IOException {
    try {
      JsonNode event = Exchange.JSON.readTree(data);
      if (event instanceof ObjectNode object) {
        return object;
      }
    } catch (JacksonException garbled) {
      // Said below.
    }
    throw new IOException("an event is garbled");
  }

  @Override
  public void close() {
    watch.close();
    try {
      lines.close();
    } catch (IOException gone) {
      // Nothing is read any more.
    }
  }
}
