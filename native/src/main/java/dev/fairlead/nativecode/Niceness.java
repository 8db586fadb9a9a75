package dev.fairlead.nativecode;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * How readily processes leave the processor to others. The system keeps it for each thread; new
 * ones have that of the thread that starts them.
 */
public final class Niceness {
  private static final int OF_A_THREAD = 0; // PRIO_PROCESS
  private static final int MOST = 19;
  private static final int FIELD = 16; // after the name of the program

  private Niceness() {}

  private record Functions(MethodHandle setPriority) {
    static Functions of(Symbols libc) {
      return new Functions(libc.function("setpriority", C.INT, C.INT, C.INT, C.INT));
    }
  }

  /**
   * Has all threads of another process of this user yield to those of this one.
   *
   * @param steps by how much
   * @return false if the system does not let us
   */
  public static boolean belowThisProcess(long pid, int steps) {
    if (!(Binding.of(List.of("libc.so.6"), Functions::of)
        instanceof Binding.Bound<Functions>(String _, Functions functions))) {
      return false;
    }
    try (Stream<Path> threads = Files.list(Path.of("/proc/%d/task".formatted(pid)))) {
      int wanted = Math.min(MOST, of(Path.of("/proc/self")) + steps);
      boolean all = true;
      for (Path thread : threads.toList()) {
        int id = Integer.parseInt(thread.getFileName().toString());
        all &=
            Downcall.number(() -> (int) functions.setPriority.invokeExact(OF_A_THREAD, id, wanted))
                == 0;
      }
      return all;
    } catch (IOException gone) {
      return false;
    }
  }

  /** That of a process. */
  public static int of(long pid) throws IOException {
    return of(Path.of("/proc/" + pid));
  }

  private static int of(Path process) throws IOException {
    String stat = Files.readString(process.resolve("stat"));
    return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[FIELD]);
  }
}
