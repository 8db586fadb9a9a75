package dev.fairlead.media.job;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The codecs that workers load. */
public final class Codecs {
  private static final String DESCRIBED = "/META-INF/maven/org.bytedeco/ffmpeg/pom.properties";

  private Codecs() {}

  /** The version of FFmpeg and of its binding, known without loading it: {@code 8.1.2-1.5.14}. */
  public static String version() {
    try (InputStream stream = Codecs.class.getResourceAsStream(DESCRIBED)) {
      Properties known = new Properties();
      if (stream != null) {
        known.load(stream);
      }
      return known.getProperty("version", "unknown");
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
