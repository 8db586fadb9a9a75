package dev.fairlead.service.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.VirtualThreadPool;

/** Listens, and has the routes of a table answered, each request on a virtual thread. */
public final class HttpServer implements AutoCloseable {
  private static final int MOST_CONNECTIONS = 2_000;
  private static final int MOST_TASKS = 2 * MOST_CONNECTIONS;
  private static final int MOST_HEADER_BYTES = 16 << 10;

  /** How long a connection may be silent in the midst of a request or an answer. */
  private static final Duration SILENCE = Duration.ofSeconds(30);

  /** So that its level stays as it was set: loggers are held weakly. */
  private static final Logger JETTY = Logger.getLogger("org.eclipse.jetty");

  private final Server server;
  private final ServerConnector connector;
  private final RequestHandler handler;

  private HttpServer(Server server, ServerConnector connector, RequestHandler handler) {
    this.server = server;
    this.connector = connector;
    this.handler = handler;
  }

  /**
   * Listens at an address; port 0 takes a free one.
   *
   * @param certificate for TLS; without it there is none
   * @param mishaps takes errors of Fairlead's own, with what was asked
   * @throws UncheckedIOException if nothing can listen there
   */
  public static HttpServer open(
      InetSocketAddress address,
      Optional<Certificate> certificate,
      Routes routes,
      Gate gate,
      BiConsumer<String, Throwable> mishaps) {
    return open(address, certificate, routes, gate, mishaps, SILENCE);
  }

  static HttpServer open(
      InetSocketAddress address,
      Optional<Certificate> certificate,
      Routes routes,
      Gate gate,
      BiConsumer<String, Throwable> mishaps,
      Duration silence) {
    JETTY.setLevel(Level.SEVERE);
    // Without a number there are 200, and as many clients that follow events would be all.
    VirtualThreadPool threads = new VirtualThreadPool(MOST_TASKS);
    threads.setName("fairlead-http");
    Server server = new Server(threads);
    HttpConfiguration rules = new HttpConfiguration();
    rules.setSendServerVersion(false);
    rules.setSendDateHeader(true);
    rules.setRequestHeaderSize(MOST_HEADER_BYTES);
    HttpConnectionFactory http = new HttpConnectionFactory(rules);
    ServerConnector connector =
        certificate
            .map(its -> new ServerConnector(server, tls(its, http), http))
            .orElseGet(() -> new ServerConnector(server, http));
    connector.setHost(address.getHostString());
    connector.setPort(address.getPort());
    connector.setIdleTimeout(silence.toMillis());
    server.addConnector(connector);
    server.addBean(new NetworkConnectionLimit(MOST_CONNECTIONS, connector));
    server.setErrorHandler(HttpServer::refuse);
    RequestHandler handler = new RequestHandler(routes, gate, mishaps);
    server.setHandler(handler);
    try {
      server.start();
    } catch (IOException taken) {
      stop(server);
      throw new UncheckedIOException(
          "Cannot listen at %s:%d: %s"
              .formatted(address.getHostString(), address.getPort(), reason(taken)),
          taken);
    } catch (Exception mistake) {
      stop(server);
      throw new IllegalStateException(mistake);
    }
    return new HttpServer(server, connector, handler);
  }

  private static SslConnectionFactory tls(Certificate certificate, HttpConnectionFactory http) {
    SslContextFactory.Server context = new SslContextFactory.Server();
    context.setSslContext(certificate.context());
    context.setIncludeProtocols("TLSv1.3", "TLSv1.2");
    return new SslConnectionFactory(context, http.getProtocol());
  }

  private static String reason(IOException taken) {
    Throwable root = Optional.<Throwable>ofNullable(taken.getCause()).orElse(taken);
    return String.valueOf(root.getMessage());
  }

  /** What Jetty itself refuses, before there is a route. */
  private static boolean refuse(Request request, Response response, Callback callback) {
    // Versions and encodings that it does not know are the client's mistake, too.
    int code =
        response.getStatus() > Status.FAULT.code()
            ? Status.BAD_REQUEST.code()
            : Math.max(response.getStatus(), Status.BAD_REQUEST.code());
    Problem problem = Problem.of(Status.of(code), "The request is malformed");
    byte[] body =
        JsonBody.MAPPER.writeValueAsString(problem.details()).getBytes(StandardCharsets.UTF_8);
    response.setStatus(code);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/problem+json");
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
    response.write(true, ByteBuffer.wrap(body), callback);
    return true;
  }

  /** Answers by the routes of another table from now on. */
  public void serve(Routes routes) {
    handler.serve(routes);
  }

  public int port() {
    return connector.getLocalPort();
  }

  /** Where it listens, as a client writes it. */
  public URI uri() {
    String host = connector.getHost();
    return URI.create(
        "%s://%s:%d"
            .formatted(
                connector.getConnectionFactory(SslConnectionFactory.class) == null
                    ? "http"
                    : "https",
                host.contains(":") ? "[" + host + "]" : host,
                port()));
  }

  private static void stop(Server server) {
    try {
      server.stop();
    } catch (Exception late) {
      JETTY.log(Level.FINE, "stop", late);
    }
  }

  /** Takes no more requests, and ends those that are under way. */
  @Override
  public void close() {
    stop(server);
  }
}
