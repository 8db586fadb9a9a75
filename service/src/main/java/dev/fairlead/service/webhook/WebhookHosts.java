package dev.fairlead.service.webhook;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The hosts that may be told of jobs. A host is a name or an address, and a port: without one,
 * those of HTTP and HTTPS.
 *
 * <p>A name that leads into a private network is refused unless that is allowed, as whoever has the
 * name could let it lead anywhere. An address that is written out was meant, and so was {@code
 * localhost}.
 *
 * @param places {@code host:port}
 * @param allowsPrivate whether names may lead into private networks
 */
public record WebhookHosts(Set<String> places, boolean allowsPrivate) {
  /** None: nobody is told. */
  public static final WebhookHosts NONE = new WebhookHosts(Set.of(), false);

  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;
  private static final int MOST_PORTS = 65_535;
  private static final int LONGEST_URL = 2_000;
  private static final Pattern HOST =
      Pattern.compile("(\\[[0-9a-fA-F:.]+]|[A-Za-z0-9._-]+)(?::(\\d{1,5}))?");
  private static final Pattern LITERAL = Pattern.compile("\\[.*]|[0-9.]+|localhost");

  public WebhookHosts {
    places = Set.copyOf(places);
  }

  /**
   * Hosts as they are written on a command line.
   *
   * @throws IllegalArgumentException if one is no host
   */
  public static WebhookHosts parse(List<String> hosts, boolean allowsPrivate) {
    Set<String> places = new TreeSet<>();
    for (String host : hosts) {
      var match = HOST.matcher(host);
      if (!match.matches()
          || (match.group(2) != null && Integer.parseInt(match.group(2)) > MOST_PORTS)) {
        throw new IllegalArgumentException(
            "\"%s\" is no host; write hooks.example.org, or hooks.example.org:8443"
                .formatted(host));
      }
      String name = match.group(1).toLowerCase(Locale.ROOT);
      if (match.group(2) == null) {
        places.add(name + ":" + HTTP_PORT);
        places.add(name + ":" + HTTPS_PORT);
      } else {
        places.add(name + ":" + match.group(2));
      }
    }
    return new WebhookHosts(places, allowsPrivate);
  }

  /**
   * Reads where a client wants to be told.
   *
   * @throws IllegalArgumentException if nobody may be told there
   */
  public URI read(String url) {
    URI uri = parse(url);
    if (!places.contains(place(uri))) {
      throw new IllegalArgumentException(
          places.isEmpty()
              ? "This server sends no webhooks; --webhook-host says to whom it may"
              : "This server sends no webhooks to %s; --webhook-host says to whom it may"
                  .formatted(place(uri)));
    }
    return uri;
  }

  private static URI parse(String url) {
    try {
      URI uri = new URI(url);
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      if (url.length() <= LONGEST_URL
          && Set.of("http", "https").contains(scheme)
          && uri.getHost() != null
          && uri.getUserInfo() == null
          && uri.getFragment() == null) {
        return uri;
      }
    } catch (URISyntaxException none) {
      // Said below.
    }
    throw new IllegalArgumentException(
        "A webhook is a URL of http or https with a host, without a user or a fragment");
  }

  /** The host and the port of a URL. */
  static String place(URI uri) {
    return uri.getHost().toLowerCase(Locale.ROOT) + ":" + port(uri);
  }

  static int port(URI uri) {
    if (uri.getPort() >= 0) {
      return uri.getPort();
    }
    return isSecure(uri) ? HTTPS_PORT : HTTP_PORT;
  }

  static boolean isSecure(URI uri) {
    return uri.getScheme().equalsIgnoreCase("https");
  }

  /**
   * Finds where a URL leads. What is connected to is this address, so that a name cannot lead
   * elsewhere after it was looked at.
   *
   * @throws IOException if it leads nowhere, or where it may not
   */
  InetAddress address(URI uri) throws IOException {
    String host = uri.getHost().toLowerCase(Locale.ROOT);
    InetAddress[] all = InetAddress.getAllByName(host);
    if (allowsPrivate || LITERAL.matcher(host).matches()) {
      return all[0];
    }
    Optional<InetAddress> closed = Arrays.stream(all).filter(WebhookHosts::isPrivate).findFirst();
    if (closed.isPresent()) {
      throw new IOException(
          "%s leads to %s, which is in a private network"
              .formatted(host, closed.get().getHostAddress()));
    }
    return all[0];
  }

  /** Whether an address cannot be reached from everywhere. */
  static boolean isPrivate(InetAddress address) {
    byte[] bytes = address.getAddress();
    boolean uniqueLocal = bytes.length == 16 && (bytes[0] & 0xfe) == 0xfc;
    boolean carrier = bytes.length == 4 && (bytes[0] & 0xff) == 100 && (bytes[1] & 0xc0) == 64;
    boolean thisNetwork = bytes.length == 4 && bytes[0] == 0;
    return address.isAnyLocalAddress()
        || address.isLoopbackAddress()
        || address.isLinkLocalAddress()
        || address.isSiteLocalAddress()
        || address.isMulticastAddress()
        || uniqueLocal
        || carrier
        || thisNetwork;
  }
}
