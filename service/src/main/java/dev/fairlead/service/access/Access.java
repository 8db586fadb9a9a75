package dev.fairlead.service.access;

import dev.fairlead.service.http.Caller;
import dev.fairlead.service.http.Gate;
import dev.fairlead.service.http.Problem;
import dev.fairlead.service.http.Role;
import dev.fairlead.service.http.Status;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Lets callers in by token or session. On this machine's own address, and while there is no token,
 * callers need none; a request that a proxy passes on comes from elsewhere, whatever its address.
 */
public final class Access implements Gate {
  private static final Set<String> OWN = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final Caller LOCAL = new Caller("local", Role.ADMIN, Optional.empty());

  private final Tokens tokens;
  private final Sessions sessions;
  private final Set<String> names;

  /**
   * Access to a server.
   *
   * @param names by which it may be called, beside those of this machine for itself
   */
  public Access(Tokens tokens, Sessions sessions, Set<String> names) {
    this.tokens = tokens;
    this.sessions = sessions;
    Set<String> all = new HashSet<>(OWN);
    names.forEach(name -> all.add(name.toLowerCase(Locale.ROOT)));
    this.names = Set.copyOf(all);
  }

  @Override
  public Caller caller(Credentials credentials) {
    if (credentials.bearer().isPresent()) {
      return tokens
          .find(credentials.bearer().get())
          .map(Token::caller)
          .orElseThrow(Access::unknownToken);
    }
    Optional<Caller> page =
        credentials.cookie().flatMap(key -> sessions.token(key, tokens)).map(Token::caller);
    if (page.isPresent()) {
      return page.get();
    }
    return credentials.isLocal() && tokens.all().isEmpty() ? LOCAL : Caller.UNKNOWN;
  }

  /**
   * A session that was opened.
   *
   * @param key what the cookie holds
   */
  record Opened(String key, Caller caller) {}

  /** Opens a session for a token's secret. */
  Opened openSession(String secret) {
    Token token = tokens.find(secret).orElseThrow(Access::unknownToken);
    return new Opened(sessions.open(token), token.caller());
  }

  private static Problem unknownToken() {
    return Problem.of(Status.UNAUTHORIZED, "The token is not known here")
        .withHeader("WWW-Authenticate", "Bearer error=\"invalid_token\"");
  }

  void closeSession(String key) {
    sessions.close(key);
  }

  @Override
  public boolean knows(String host) {
    return names.contains(withoutPort(host).toLowerCase(Locale.ROOT));
  }

  private static String withoutPort(String host) {
    int colon = host.lastIndexOf(':');
    return colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
  }

  @Override
  public boolean trusts(String origin, String host) {
    try {
      String authority = new URI(origin).getRawAuthority();
      return authority != null && authority.equalsIgnoreCase(host);
    } catch (URISyntaxException malformed) {
      return false;
    }
  }
}
