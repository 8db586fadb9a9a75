package dev.fairlead.pool;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** After each test that passed: every thread that Fairlead started in it has ended. */
public final class NoThreadLeft implements AfterEachCallback {
  /** Those that a failed test has left behind: no other test answers for them. */
  private static final Set<Thread> EXCUSED = ConcurrentHashMap.newKeySet();

  @Override
  public void afterEach(ExtensionContext context) {
    try {
      if (context.getExecutionException().isEmpty()) {
        Eventually.until(
            "no thread of Fairlead is left: " + Eventually.fairleadThreads(),
            () -> EXCUSED.containsAll(Eventually.liveThreads()));
      }
    } finally {
      EXCUSED.addAll(Eventually.liveThreads());
    }
  }
}
