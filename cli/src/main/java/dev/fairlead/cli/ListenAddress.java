package dev.fairlead.cli;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** An address to listen at, as people write it. */
final class ListenAddress {
  private static final int LARGEST_PORT = 65_535;

  private ListenAddress() {}

  /** From {@code 127.0.0.1:8080}, {@code localhost:0}, {@code [::1]:8080} or {@code :8080}. */
  static InetSocketAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      String host = text.substring(0, Math.max(0, colon));
      if (colon >= 0 && port >= 0 && port <= LARGEST_PORT) {
        return new InetSocketAddress(
            InetAddress.getByName(host.isEmpty() ? "127.0.0.1" : host), port);
      }
    } catch (NumberFormatException malformed) {
      // Said below.
    } catch (UnknownHostException unknown) {
      throw new IllegalArgumentException(
          "--listen %s: there is no such host".formatted(text), unknown);
    }
    throw new IllegalArgumentException(
        "--listen is \"%s\"; write HOST:PORT, such as 127.0.0.1:8080".formatted(text));
  }
}
