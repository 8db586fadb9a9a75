package dev.fairlead.media.worker;

import dev.fairlead.media.av.SystemDrivers;
import dev.fairlead.media.settings.WorkerProperties;
import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Report;
import dev.fairlead.media.wire.Wire;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/** The worker process. Started by its parent only; ends as soon as that is gone. */
public final class WorkerMain {
  private static final int PARENT_GONE = 3;

  private WorkerMain() {}

  /**
   * Ctrl-C goes to every process of a terminal. What it means for the job is for the parent to say:
   * an end that has begun waits here until the parent hangs up or kills this process.
   */
  private static void leaveSignalsToTheParent() {
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .unstarted(() -> {
                  while (true) {
                    LockSupport.park();
                  }
                }));
  }

  private static void parentGone() {
    Runtime.getRuntime().halt(PARENT_GONE);
  }

  /** Serves the parent at the other end of the socket that is named. */
  public static void main(String[] arguments) throws IOException {
    if (!Boolean.getBoolean(WorkerProperties.ORDERLY_END)) {
      leaveSignalsToTheParent();
    }
    SystemDrivers.load();
    UnixDomainSocketAddress parent = UnixDomainSocketAddress.of(Path.of(arguments[0]));
    try (Wire<Command, Report> wire =
        new Wire<>(SocketChannel.open(parent), Command.class, WorkerMain::parentGone)) {
      WorkerSession session = new WorkerSession(wire);
      for (Command command = wire.receive(); command != null; command = wire.receive()) {
        session.obey(command);
      }
    } finally {
      if (Boolean.getBoolean(WorkerProperties.ORDERLY_END)) {
        System.exit(0);
      }
      // A native call cannot be interrupted, and nothing here is worth waiting for.
      parentGone();
    }
  }
}
