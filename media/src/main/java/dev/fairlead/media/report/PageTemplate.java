package dev.fairlead.media.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Pages that need nothing else: a template of the jar, the common style, and parts to fill in. */
public final class PageTemplate {
  private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");
  private static final String STYLE = "page.css";

  /** How many colours the common style has; those of bars are named by their numbers. */
  public static final int COLOURS = 7;

  private PageTemplate() {}

  /**
   * Fills all places in one go, so that text of a file is never taken for a place to fill.
   *
   * @param owner the class that the template stands beside
   */
  public static String fill(Class<?> owner, String template, Map<String, String> parts) {
    Map<String, String> all = new HashMap<>(parts);
    all.put("style", resource(PageTemplate.class, STYLE));
    return PLACE
        .matcher(resource(owner, template))
        .replaceAll(
            place -> Matcher.quoteReplacement(Objects.requireNonNull(all.get(place.group(1)))));
  }

  private static String resource(Class<?> owner, String name) {
    try (InputStream in = owner.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing from the Fairlead jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(name + " cannot be read from the Fairlead jar", e);
    }
  }
}
