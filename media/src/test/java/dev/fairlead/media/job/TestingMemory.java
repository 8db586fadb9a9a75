package dev.fairlead.media.job;

import dev.fairlead.media.worker.WorkerMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/** Watches how much memory the workers of this process have had at most. */
final class TestingMemory implements AutoCloseable {
  /** What a parent process was seen to take when it is the command and not a test: 94 MB. */
  static final long PARENT = 100_000_000;

  private static final long OFTEN_NANOS = 5_000_000;

  private final Thread watcher = Thread.ofPlatform().daemon().unstarted(this::watch);
  private volatile boolean over;
  private volatile long most;

  static TestingMemory watching() {
    TestingMemory memory = new TestingMemory();
    memory.watcher.start();
    return memory;
  }

  private void watch() {
    while (!over) {
      look();
      LockSupport.parkNanos(OFTEN_NANOS);
    }
  }

  private void look() {
    ProcessHandle.current()
        .descendants()
        .filter(TestingMemory::isWorker)
        .forEach(worker -> most = Math.max(most, peak(worker.pid())));
  }

  private static boolean isWorker(ProcessHandle process) {
    try {
      Path line = Path.of("/proc/%d/cmdline".formatted(process.pid()));
      return Files.readString(line).contains(WorkerMain.class.getName());
    } catch (IOException gone) {
      return false;
    }
  }

  private static long peak(long pid) {
    try {
      return Files.readAllLines(Path.of("/proc/%d/status".formatted(pid))).stream()
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
          .findFirst()
          .orElse(0);
    } catch (IOException gone) {
      return 0;
    }
  }

  /** The most that the largest of them had in memory, with the parent; ends the watch. */
  long peak() throws InterruptedException {
    over = true;
    watcher.join();
    if (most == 0) {
      throw new AssertionError("No worker was seen");
    }
    return most + PARENT;
  }

  @Override
  public void close() {
    over = true;
  }
}
