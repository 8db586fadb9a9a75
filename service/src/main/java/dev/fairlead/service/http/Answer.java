package dev.fairlead.service.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What a route answers. */
public sealed interface Answer {
  int OK = 200;
  int CREATED = 201;
  int NO_CONTENT = 204;

  /** A value as JSON. */
  record Json(int status, Object body, Map<String, String> headers) implements Answer {
    public Json {
      headers = Map.copyOf(headers);
    }

    public Json withHeader(String name, String value) {
      Map<String, String> more = new LinkedHashMap<>(headers);
      more.put(name, value);
      return new Json(status, body, more);
    }
  }

  /** Nothing but a status and headers. */
  record Empty(int status, Map<String, String> headers) implements Answer {
    public Empty {
      headers = Map.copyOf(headers);
    }
  }

  /** A page that needs nothing else: it may have styles of its own, and may do nothing. */
  record Page(String body) implements Answer {}

  /** A text of a given type. */
  record Text(String contentType, String body) implements Answer {}

  /**
   * Bytes of a given type that a client may keep, and asks for again only by their mark.
   *
   * @param etag what changes whenever the bytes do
   */
  record Bytes(ByteBuffer body, String contentType, String etag) implements Answer {
    public Bytes {
      body = body.asReadOnlyBuffer();
    }
  }

  /**
   * A file, whole or the ranges that the request asks for.
   *
   * @param etag what changes whenever the bytes do; by size and time if empty
   */
  record Content(Path file, String contentType, Optional<String> etag) implements Answer {}

  /** What is written for as long as both sides like. */
  record Stream(String contentType, Body body) implements Answer {}

  /** Writes on the thread of the request, which may block. */
  @FunctionalInterface
  interface Body {
    void write(OutputStream out) throws IOException, InterruptedException;
  }

  static Json json(Object body) {
    return new Json(OK, body, Map.of());
  }

  static Json created(String location, Object body) {
    return new Json(CREATED, body, Map.of("Location", location));
  }

  static Empty none() {
    return new Empty(NO_CONTENT, Map.of());
  }
}
