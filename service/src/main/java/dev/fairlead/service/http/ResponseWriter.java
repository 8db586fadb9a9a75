package dev.fairlead.service.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Writes an answer, with the headers that all answers have. */
final class ResponseWriter {
  /** For every answer: what a page of this server may load, and how its answers are taken. */
  private static final Map<String, String> ALWAYS =
      Map.of(
          "X-Content-Type-Options", "nosniff",
          "Referrer-Policy", "no-referrer",
          "Cross-Origin-Resource-Policy", "same-origin",
          "Cache-Control", "no-cache",
          "Content-Security-Policy",
              "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
                  + " connect-src 'self'; media-src 'self' blob:; worker-src 'self';"
                  + " form-action 'none'; base-uri 'none'; frame-ancestors 'none';"
                  + " require-trusted-types-for 'script'; trusted-types lit-html fairlead");

  private static final String OF_PAGES =
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none';"
          + " base-uri 'none'; frame-ancestors 'none'; sandbox";

  private final Request request;
  private final Response response;
  private final Callback callback;

  ResponseWriter(Request request, Response response, Callback callback) {
    this.request = request;
    this.response = response;
    this.callback = callback;
    ALWAYS.forEach((name, value) -> response.getHeaders().put(name, value));
  }

  void write(Answer answer) {
    switch (answer) {
      case Answer.Json json -> {
        put(json.headers());
        bytes(json.status(), "application/json", JsonBody.MAPPER.writeValueAsBytes(json.body()));
      }
      case Answer.Empty empty -> {
        put(empty.headers());
        response.setStatus(empty.status());
        callback.succeeded();
      }
      case Answer.Text text ->
          bytes(Answer.OK, text.contentType(), text.body().getBytes(StandardCharsets.UTF_8));
      case Answer.Bytes bytes -> kept(bytes);
      case Answer.Page page -> {
        response.getHeaders().put("Content-Security-Policy", OF_PAGES);
        bytes(Answer.OK, "text/html; charset=utf-8", page.body().getBytes(StandardCharsets.UTF_8));
      }
      case Answer.Content content -> file(content);
      case Answer.Stream stream -> stream(stream);
    }
  }

  void refuse(Problem problem) {
    put(problem.headers());
    bytes(
        problem.details().status(),
        "application/problem+json",
        JsonBody.MAPPER.writeValueAsBytes(problem.details()));
  }

  private void put(Map<String, String> headers) {
    headers.forEach((name, value) -> response.getHeaders().put(name, value));
  }

  private void bytes(int status, String type, byte[] bytes) {
    bytes(status, type, ByteBuffer.wrap(bytes));
  }

  private void bytes(int status, String type, ByteBuffer bytes) {
    response.setStatus(status);
    HttpFields.Mutable headers = response.getHeaders();
    headers.put(HttpHeader.CONTENT_TYPE, type);
    headers.put(HttpHeader.CONTENT_LENGTH, bytes.remaining());
    if (isHead()) {
      callback.succeeded();
    } else {
      response.write(true, bytes, callback);
    }
  }

  private boolean isHead() {
    return request.getMethod().equals("HEAD");
  }

  private Optional<String> header(String name) {
    return Optional.ofNullable(request.getHeaders().get(name));
  }

  private void kept(Answer.Bytes bytes) {
    String etag = "\"%s\"".formatted(bytes.etag());
    response.getHeaders().put(HttpHeader.ETAG, etag);
    if (FileAnswer.isKnown(this::header, etag)) {
      response.setStatus(FileAnswer.NOT_MODIFIED);
      callback.succeeded();
    } else {
      bytes(Answer.OK, bytes.contentType(), bytes.body().duplicate());
    }
  }

  private void file(Answer.Content content) {
    FileAnswer part;
    try {
      part = FileAnswer.of(content, this::header);
    } catch (IOException gone) {
      refuse(Problem.of(Status.NOT_FOUND, "The file is not there any more"));
      return;
    }
    HttpFields.Mutable headers = response.getHeaders();
    headers.put(HttpHeader.ETAG, part.etag());
    headers.put(HttpHeader.ACCEPT_RANGES, "bytes");
    part.contentRange().ifPresent(range -> headers.put(HttpHeader.CONTENT_RANGE, range));
    if (part.isUnsatisfiable()) {
      refuse(Problem.of(Status.RANGE, "The file has %d bytes".formatted(part.size())));
      return;
    }
    response.setStatus(part.status());
    if (part.status() == FileAnswer.NOT_MODIFIED) {
      callback.succeeded();
      return;
    }
    headers.put(HttpHeader.CONTENT_TYPE, content.contentType());
    headers.put(HttpHeader.CONTENT_LENGTH, part.length());
    if (isHead() || part.length() == 0) {
      callback.succeeded();
    } else {
      Content.copy(
          Content.Source.from(content.file(), part.from(), part.length()), response, callback);
    }
  }

  private void stream(Answer.Stream stream) {
    response.setStatus(Answer.OK);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, stream.contentType());
    if (isHead()) {
      callback.succeeded();
      return;
    }
    try (OutputStream out = Content.Sink.asOutputStream(response)) {
      stream.body().write(out);
    } catch (IOException gone) {
      callback.failed(gone); // the client went away
      return;
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      callback.failed(stopping);
      return;
    } catch (RuntimeException | Error failure) {
      callback.failed(failure);
      return;
    }
    callback.succeeded();
  }
}
