package dev.fairlead.service.access;

import dev.fairlead.service.http.Answer;
import dev.fairlead.service.http.Call;
import dev.fairlead.service.http.Caller;
import dev.fairlead.service.http.Gate;
import dev.fairlead.service.http.Role;
import dev.fairlead.service.http.Route;
import dev.fairlead.service.http.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The routes by which a page shows its token once, and has a cookie from then on. */
public final class SessionRoutes {
  private static final String PATH = "/v1/session";

  private final Access access;
  private final boolean secure;

  /** The token of a page. */
  record SessionRequest(String token) {}

  /** Whom the session stands for. */
  record SessionView(String name, Role role, Optional<String> tenant) {
    static SessionView of(Caller caller) {
      return new SessionView(caller.name(), caller.role(), caller.tenant());
    }
  }

  /**
   * Routes of a server.
   *
   * @param secure whether all clients have TLS: cookies then need it
   */
  public SessionRoutes(Access access, boolean secure) {
    this.access = access;
    this.secure = secure;
  }

  public List<Route> all() {
    return List.of(
        Route.of(
                Route.Method.POST,
                PATH,
                Role.ANYONE,
                "Open a session for a token; its cookie stands for the token",
                SessionRequest.class,
                SessionView.class,
                this::open)
            .refusing(Status.UNAUTHORIZED),
        Route.of(
            Route.Method.DELETE,
            PATH,
            Role.ANYONE,
            "Close the session of the cookie",
            Void.class,
            Void.class,
            this::close));
  }

  private Answer open(Call call) {
    Access.Opened opened = access.openSession(call.body(SessionRequest.class).token());
    return Answer.json(SessionView.of(opened.caller()))
        .withHeader("Set-Cookie", cookie(call, opened.key(), Sessions.LENGTH));
  }

  private Answer close(Call call) {
    call.sender().credentials().cookie().ifPresent(access::closeSession);
    return new Answer.Empty(
        Answer.NO_CONTENT, Map.of("Set-Cookie", cookie(call, "", Duration.ZERO)));
  }

  private String cookie(Call call, String value, Duration age) {
    boolean needsTls = secure || !call.sender().credentials().isLocal();
    return "%s=%s; Path=/; Max-Age=%d; HttpOnly; SameSite=Strict%s"
        .formatted(Gate.SESSION_COOKIE, value, age.toSeconds(), needsTls ? "; Secure" : "");
  }
}
