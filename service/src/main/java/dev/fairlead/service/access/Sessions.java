package dev.fairlead.service.access;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;

/**
 * Pages that have shown a token. What they keep is a drawn number that stands for it, as scripts,
 * players and event streams send cookies and no {@code Authorization}. Thread-safe.
 */
public final class Sessions {
  static final Duration LENGTH = Duration.ofHours(12);

  private static final int MOST = 10_000;
  private static final int KEY_BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  private record Session(String tokenHash, long untilNanos) {}

  private final ConcurrentMap<String, Session> open = new ConcurrentHashMap<>();
  private final LongSupplier nanos;

  public Sessions(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Opens one for a token; gives what the cookie holds. */
  String open(Token token) {
    long now = nanos.getAsLong();
    open.values().removeIf(session -> session.untilNanos - now <= 0);
    if (open.size() >= MOST) {
      open.clear(); // pages show their tokens again
    }
    byte[] drawn = new byte[KEY_BYTES];
    RANDOM.nextBytes(drawn);
    String key = Base64.getUrlEncoder().withoutPadding().encodeToString(drawn);
    open.put(Token.hash(key), new Session(token.hash(), now + LENGTH.toNanos()));
    return key;
  }

  /** The token that stands behind a cookie, if it is there still. */
  Optional<Token> token(String key, Tokens tokens) {
    Session session = open.get(Token.hash(key));
    if (session == null || session.untilNanos - nanos.getAsLong() <= 0) {
      return Optional.empty();
    }
    return tokens.all().stream()
        .filter(token -> token.hash().equals(session.tokenHash))
        .findFirst();
  }

  void close(String key) {
    open.remove(Token.hash(key));
  }
}
