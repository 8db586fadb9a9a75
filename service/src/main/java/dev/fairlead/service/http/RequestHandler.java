package dev.fairlead.service.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.eclipse.jetty.http.HttpCookie;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;

/**
 * Takes every request through the same steps: is it meant for this server, is there such a route,
 * who asks, may they, and then the route's work. Whatever is refused on the way is a {@link
 * Problem}; what is thrown besides is an error of Fairlead's own, and its message stays here.
 */
final class RequestHandler extends Handler.Abstract {
  private static final String BEARER = "Bearer ";

  private volatile Routes routes;
  private final Gate gate;
  private final BiConsumer<String, Throwable> mishaps;

  /**
   * Answers by the routes of a table.
   *
   * @param mishaps takes errors of Fairlead's own, with what was asked
   */
  RequestHandler(Routes routes, Gate gate, BiConsumer<String, Throwable> mishaps) {
    this.routes = routes;
    this.gate = gate;
    this.mishaps = mishaps;
  }

  /** Answers by another table from now on. */
  void serve(Routes others) {
    routes = others;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    ResponseWriter writer = new ResponseWriter(request, response, callback);
    Answer answer;
    try {
      answer = answer(request);
    } catch (Problem problem) {
      writer.refuse(problem);
      return true;
    } catch (HttpException.RuntimeException malformed) {
      writer.refuse(Problem.of(Status.of(malformed.getCode()), said(malformed)));
      return true;
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      writer.refuse(Problem.of(Status.UNAVAILABLE, "The server is being stopped"));
      return true;
    } catch (RuntimeException | Error mistake) {
      mishaps.accept(request.getMethod() + " " + request.getHttpURI().getPath(), mistake);
      writer.refuse(Problem.of(Status.FAULT, "An error of Fairlead's own; its log has more"));
      return true;
    }
    writer.write(answer);
    return true;
  }

  private static String said(HttpException.RuntimeException malformed) {
    String reason = malformed.getReason();
    return reason == null ? "The request is malformed" : "The request is malformed: " + reason;
  }

  private Answer answer(Request request) throws InterruptedException {
    requireHost(request);
    String path = Request.getPathInContext(request);
    Routes.Match match = routes.find(request.getMethod(), path);
    Route route = match.route();
    requireOrigin(request, route);
    Gate.Credentials credentials = credentials(request);
    Caller caller = gate.caller(credentials);
    requireRole(route, caller);
    return route
        .work()
        .answer(
            new Call(
                new Call.Sender(caller, credentials),
                match.parameters(),
                query(request),
                name -> Optional.ofNullable(request.getHeaders().get(name)),
                () -> Request.asInputStream(request)));
  }

  private void requireHost(Request request) {
    String host = request.getHeaders().get(HttpHeader.HOST);
    if (host == null || !gate.knows(host)) {
      throw Problem.of(
          Status.MISDIRECTED,
          "This server is not called %s; --host adds a name"
              .formatted(host == null ? "nothing" : host));
    }
  }

  /** Pages of other origins may change nothing. */
  private void requireOrigin(Request request, Route route) {
    String origin = request.getHeaders().get(HttpHeader.ORIGIN);
    String host = String.valueOf(request.getHeaders().get(HttpHeader.HOST));
    boolean foreignFetch =
        "cross-site".equals(request.getHeaders().get("Sec-Fetch-Site")) && route.method().changes();
    if ((origin != null && route.method().changes() && !gate.trusts(origin, host))
        || foreignFetch) {
      throw Problem.of(Status.FORBIDDEN, "A page of another origin may change nothing here");
    }
  }

  private static void requireRole(Route route, Caller caller) {
    if (caller.role().includes(route.role())) {
      return;
    }
    if (caller.role() == Role.ANYONE) {
      throw Problem.of(
              Status.UNAUTHORIZED,
              "A token is needed: Authorization: Bearer …, from 'fairlead token add'")
          .withHeader("WWW-Authenticate", "Bearer");
    }
    throw Problem.of(
        Status.FORBIDDEN,
        "%s %s needs the role %s; %s has %s"
            .formatted(
                route.method(),
                route.path(),
                Words.of(route.role()),
                caller.name(),
                Words.of(caller.role())));
  }

  private static Gate.Credentials credentials(Request request) {
    String authorization = request.getHeaders().get(HttpHeader.AUTHORIZATION);
    Optional<String> bearer =
        Optional.ofNullable(authorization)
            .filter(value -> value.regionMatches(true, 0, BEARER, 0, BEARER.length()))
            .map(value -> value.substring(BEARER.length()).strip());
    boolean forwarded =
        request.getHeaders().stream()
            .anyMatch(field ->
                field.getLowerCaseName().equals("forwarded")
                    || field.getLowerCaseName().startsWith("x-forwarded-"));
    Optional<String> cookie =
        Request.getCookies(request).stream()
            .filter(each -> each.getName().equals(Gate.SESSION_COOKIE))
            .map(HttpCookie::getValue)
            .findFirst();
    SocketAddress remote = request.getConnectionMetaData().getRemoteSocketAddress();
    InetAddress address =
        remote instanceof InetSocketAddress internet
            ? internet.getAddress()
            : InetAddress.ofLiteral("0.0.0.0");
    return new Gate.Credentials(address, forwarded, bearer, cookie);
  }

  private static Map<String, String> query(Request request) {
    Map<String, String> values = new LinkedHashMap<>();
    try {
      for (Fields.Field field : Request.extractQueryParameters(request)) {
        values.put(field.getName(), field.getValue() == null ? "" : field.getValue());
      }
    } catch (IllegalArgumentException | HttpException.RuntimeException malformed) {
      throw Problem.of(Status.BAD_REQUEST, "The query of the address is malformed");
    }
    return values;
  }
}
