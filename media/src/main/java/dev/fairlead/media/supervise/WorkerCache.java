package dev.fairlead.media.supervise;

import dev.fairlead.media.settings.WorkerProperties;
import java.io.File;
import java.time.Duration;
import java.util.List;

/**
 * A file that holds the classes of a worker, loaded and linked ahead of time. A program that starts
 * the parent may name one, or where one is to be made; without, workers only start slower. The JVM
 * itself sees whether a file fits it and the class path, and does without one that does not.
 */
final class WorkerCache {
  /** Names the file that workers use. */
  static final String USED = "fairlead.worker.cache";

  /** Names the file that an unconfined worker writes at its end: a confined one may not. */
  static final String MADE = "fairlead.worker.cache.make";

  private static final Duration TO_END = Duration.ofSeconds(2);
  private static final Duration TO_WRITE = Duration.ofMinutes(1);

  private WorkerCache() {}

  /** The options of a worker's JVM. */
  static List<String> options(boolean confined) {
    String made = System.getProperty(MADE, "");
    if (!made.isEmpty() && !confined) {
      return List.of("-XX:AOTCacheOutput=" + made, "-D" + WorkerProperties.ORDERLY_END + "=true");
    }
    String used = System.getProperty(USED, "");
    return new File(used).isFile()
        ? List.of("-XX:AOTCache=" + used, "-Xlog:aot*=off,cds*=off")
        : List.of();
  }

  /** How long a worker that has nothing more to do may take to end. */
  static Duration toEnd() {
    return System.getProperty(MADE, "").isEmpty() ? TO_END : TO_WRITE;
  }
}
