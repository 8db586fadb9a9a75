package dev.fairlead.cli;

import dev.fairlead.service.serve.Service;
import java.util.concurrent.TimeUnit;

/**
 * How a service ends when its process is asked to: all jobs are parked, and the process exits with
 * 0. What has not committed by a deadline is given up; the next start makes it again.
 */
final class ServeEnd {
  private static final long DEADLINE_SECONDS = 9;

  private ServeEnd() {}

  static Thread hook(Service service, Runnable ended) {
    return Thread.ofPlatform()
        .name("end of service")
        .unstarted(() -> {
          Thread closing = Thread.ofPlatform().name("close service").start(service::close);
          try {
            closing.join(TimeUnit.SECONDS.toMillis(DEADLINE_SECONDS));
          } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
          }
          ended.run();
          Runtime.getRuntime().halt(0);
        });
  }
}
