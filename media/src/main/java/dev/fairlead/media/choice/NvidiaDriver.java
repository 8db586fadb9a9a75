package dev.fairlead.media.choice;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** NVIDIA's driver in the kernel of a machine, by its files. */
public final class NvidiaDriver {
  /** A system property that names another root of these files than that of this machine. */
  public static final String ROOT = "fairlead.machine";

  private static final String PLAIN = "sys/module/nvidia/version";
  private static final String WORDS = "proc/driver/nvidia/version";
  private static final Pattern VERSION = Pattern.compile("\\s(\\d{3,4}\\.\\d[\\d.]*)\\s");

  private NvidiaDriver() {}

  /** Below which the files of the machine are. */
  public static Path root() {
    return Path.of(System.getProperty(ROOT, "/"));
  }

  /** Its version, such as {@code 575.51.03}; empty if it is not loaded. */
  public static Optional<String> version(Path root) {
    String plain = content(root.resolve(PLAIN));
    if (!plain.isEmpty()) {
      return Optional.of(plain);
    }
    Matcher words = VERSION.matcher(content(root.resolve(WORDS)));
    return words.find() ? Optional.of(words.group(1)) : Optional.empty();
  }

  private static String content(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException absent) {
      return "";
    }
  }
}
