package dev.fairlead.service.page;

import dev.fairlead.service.http.Answer;
import dev.fairlead.service.http.Role;
import dev.fairlead.service.http.Route;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * The routes of the page. Its files are resources of this package, which {@code service/page} is
 * built into; anyone may load them, as they hold nothing of any job. What a page may load and do is
 * said by the headers that all answers have.
 */
public final class PageRoutes {
  private static final String INDEX = "index.html";
  private static final String SCRIPT = "text/javascript; charset=utf-8";

  /** Every file, and its type. */
  private static final Map<String, String> TYPES =
      Map.of(
          INDEX,
          "text/html; charset=utf-8",
          "page.js",
          SCRIPT,
          "feed.js",
          SCRIPT,
          "player.js",
          SCRIPT,
          "page.css",
          "text/css; charset=utf-8",
          "icon.svg",
          "image/svg+xml",
          "licences.txt",
          "text/plain; charset=utf-8");

  private PageRoutes() {}

  /**
   * A route for each file.
   *
   * @throws UncheckedIOException if one cannot be read
   */
  public static List<Route> all() {
    List<Route> routes = new ArrayList<>();
    TYPES.forEach((name, type) -> {
      Answer answer = read(name, type);
      String path = name.equals(INDEX) ? "/" : "/page/" + name;
      routes.add(
          Route.get(path, Role.ANYONE, "The page", Void.class, _ -> answer).ofType(Route.ANY_FILE));
    });
    return routes;
  }

  private static Answer read(String name, String type) {
    try (InputStream in = PageRoutes.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("The resource %s is missing".formatted(name));
      }
      byte[] bytes = in.readAllBytes();
      String etag = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
      return new Answer.Bytes(ByteBuffer.wrap(bytes), type, etag.substring(0, 32));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
