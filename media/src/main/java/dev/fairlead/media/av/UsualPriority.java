package dev.fairlead.media.av;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Makes the threads of this process ordinary ones.
 *
 * <p>SVT-AV1 makes its threads, and the one that opens it, real-time threads of the highest
 * priority where it may, and root may. Those take the processors from everything else on the
 * machine, and threads of the JVM that such a thread starts are no better.
 */
final class UsualPriority {
  private static final Path THREADS = Path.of("/proc/self/task");
  private static final int ORDINARY = 0; // SCHED_OTHER
  private static final int FIRST_IN = 1; // SCHED_FIFO
  private static final int IN_TURN = 2; // SCHED_RR

  private static final Optional<MethodHandle> POLICY =
      function(
          "sched_getscheduler", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
  private static final Optional<MethodHandle> SET_POLICY =
      function(
          "sched_setscheduler",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS));
  private static final MemorySegment NO_PRIORITY = Arena.global().allocate(ValueLayout.JAVA_INT);

  private UsualPriority() {}

  @SuppressWarnings("restricted") // the worker is started with access to native code
  private static Optional<MethodHandle> function(String name, FunctionDescriptor type) {
    Linker linker = Linker.nativeLinker();
    return linker.defaultLookup().find(name).map(symbol -> linker.downcallHandle(symbol, type));
  }

  /** To be called when an encoder is open, on the thread that opened it. */
  static void restore() {
    if (POLICY.isEmpty() || SET_POLICY.isEmpty() || !Files.isDirectory(THREADS)) {
      return;
    }
    try (Stream<Path> threads = Files.list(THREADS)) {
      threads.forEach(thread ->
          restore(
              Integer.parseInt(thread.getFileName().toString()), POLICY.get(), SET_POLICY.get()));
    } catch (IOException unknown) {
      // An encoder with too much of the machine is still an encoder.
    }
  }

  private static void restore(int thread, MethodHandle policy, MethodHandle setPolicy) {
    try {
      int now = (int) policy.invokeExact(thread);
      if (now == FIRST_IN || now == IN_TURN) {
        int _ = (int) setPolicy.invokeExact(thread, ORDINARY, NO_PRIORITY);
      }
    } catch (Throwable impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
