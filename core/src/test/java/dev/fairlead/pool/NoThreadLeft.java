package dev.fairlead.pool;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** After each test: every thread that Fairlead started has ended. */
public final class NoThreadLeft implements AfterEachCallback {
  @Override
  public void afterEach(ExtensionContext context) {
    if (context.getExecutionException().isEmpty()) {
      Eventually.until(
          "no thread of Fairlead is left: " + Eventually.fairleadThreads(),
          () -> Eventually.fairleadThreads().isEmpty());
    }
  }
}
