package dev.fairlead.media.av;

import dev.fairlead.nativecode.Binding;
import dev.fairlead.nativecode.C;
import dev.fairlead.nativecode.Downcall;
import dev.fairlead.nativecode.Symbols;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

  private static final MemorySegment NO_PRIORITY = Arena.global().allocate(C.INT);
  private static final Binding<Functions> LIBC = Binding.of(List.of("libc.so.6"), Functions::of);

  private record Functions(MethodHandle policy, MethodHandle setPolicy) {
    static Functions of(Symbols libc) {
      return new Functions(
          libc.function("sched_getscheduler", C.INT, C.INT),
          libc.function("sched_setscheduler", C.INT, C.INT, C.INT, C.POINTER));
    }
  }

  private UsualPriority() {}

  /** To be called when an encoder is open, on the thread that opened it. */
  static void restore() {
    if (!(LIBC instanceof Binding.Bound<Functions>(String _, Functions functions))
        || !Files.isDirectory(THREADS)) {
      return;
    }
    try (Stream<Path> threads = Files.list(THREADS)) {
      threads.forEach(
          thread -> restore(Integer.parseInt(thread.getFileName().toString()), functions));
    } catch (IOException unknown) {
      // An encoder with too much of the machine is still an encoder.
    }
  }

  private static void restore(int thread, Functions functions) {
    int now = Downcall.number(() -> (int) functions.policy.invokeExact(thread));
    if (now == FIRST_IN || now == IN_TURN) {
      int _ =
          Downcall.number(
              () -> (int) functions.setPolicy.invokeExact(thread, ORDINARY, NO_PRIORITY));
    }
  }
}
