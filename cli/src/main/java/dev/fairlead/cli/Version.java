package dev.fairlead.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of this build, written into a resource by Maven. */
final class Version implements IVersionProvider {
  private static final String RESOURCE = "version.properties";

  @Override
  public String[] getVersion() {
    return new String[] {"fairlead " + number()};
  }

  /** Its number alone. */
  static String number() {
    try (InputStream in = Version.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException(
            RESOURCE + " is missing from the Fairlead jar; build again with mvn package");
      }
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version", "of unknown version");
    } catch (IOException e) {
      throw new UncheckedIOException(RESOURCE + " cannot be read from the Fairlead jar", e);
    }
  }
}
