package dev.fairlead.service.client;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/**
 * Where a service is.
 *
 * @param base what the paths of its routes are put behind; without a slash at its end
 */
public record ServiceAddress(URI base) {
  /** Where {@code serve} listens unless it is told otherwise. */
  public static final String USUAL = "127.0.0.1:8080";

  /**
   * From {@code http://host:8080}, {@code https://films.example/fairlead} or {@code host:8080}.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  public static ServiceAddress parse(String text) {
    String plain = text.strip().replaceAll("/+$", "");
    try {
      URI uri = new URI(plain.contains("://") ? plain : "http://" + plain);
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      boolean known = scheme.equals("http") || scheme.equals("https");
      boolean complete = plain.contains("://") || uri.getPort() > 0;
      if (known
          && complete
          && uri.getHost() != null
          && uri.getUserInfo() == null
          && uri.getQuery() == null
          && uri.getFragment() == null) {
        return new ServiceAddress(uri);
      }
    } catch (URISyntaxException malformed) {
      // Said below.
    }
    throw new IllegalArgumentException(
        "\"%s\" is no address of a service; write HOST:PORT or a URL, such as %s or https://films.example"
            .formatted(text, USUAL));
  }

  /** Of a route; its path begins with a slash and is encoded already. */
  URI of(String path) {
    return URI.create(base + path);
  }

  @Override
  public String toString() {
    return base.toString();
  }
}
