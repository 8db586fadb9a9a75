package dev.fairlead.service.http;

import java.net.InetAddress;
import java.util.Optional;

/** Decides who a caller is, and whether a request was meant for this server at all. */
public interface Gate {
  /** The cookie that holds a session. */
  String SESSION_COOKIE = "fairlead";

  /**
   * What a request says of where it comes from.
   *
   * @param remote the other end of the connection
   * @param forwarded whether a proxy says that it passes the request on
   * @param bearer the token of its {@code Authorization}
   * @param cookie the session of its cookie
   */
  record Credentials(
      InetAddress remote, boolean forwarded, Optional<String> bearer, Optional<String> cookie) {
    /** Whether the request comes from this machine, as far as can be seen. */
    public boolean isLocal() {
      return remote.isLoopbackAddress() && !forwarded;
    }
  }

  /**
   * The caller; {@link Caller#UNKNOWN} without credentials.
   *
   * @throws Problem if the credentials are wrong
   */
  Caller caller(Credentials credentials);

  /** Whether {@code Host} is a name of this server; others are of pages that reach for it. */
  boolean knows(String host);

  /**
   * Whether a page may change something.
   *
   * @param origin of the page
   * @param host as which the request calls this server
   */
  boolean trusts(String origin, String host);
}
