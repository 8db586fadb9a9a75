package dev.fairlead.media.gpu;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * The driver double of {@code src/test/c/vaapi} for processes on a host: every file that they open
 * as a render node is a card that encodes H.264, and shows in the host's books.
 */
public final class TestingVaapi {
  private TestingVaapi() {}

  /** What a process has to have in its environment to see such cards beside those of the host. */
  public static Map<String, String> environment(TestingNvidia host) {
    Map<String, String> environment = new TreeMap<>(host.environment(libraries()));
    environment.put("LIBVA_DRIVERS_PATH", libraries().toString());
    return environment;
  }

  /** Where the doubles are, as {@code libva-drm.so.2} and a driver. */
  public static Path libraries() {
    return Built.FOLDER;
  }

  /** Compiled when the first test asks for them. */
  private static final class Built {
    static final Path FOLDER = TestingDoubles.build("vaapi");

    private Built() {}
  }
}
