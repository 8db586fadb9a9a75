package dev.fairlead.nativecode;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;

/** Limits that the system keeps for a process. */
public final class ResourceLimits {
  private static final int CORE = 4;
  private static final int FILES = 7;

  private ResourceLimits() {}

  private record Functions(MethodHandle prlimit) {
    static Functions of(Symbols libc) {
      return new Functions(libc.function("prlimit", C.INT, C.INT, C.INT, C.POINTER, C.POINTER));
    }
  }

  /**
   * Lowers what another process of this user may use: no core files, and so many open files.
   *
   * @return false if the system does not let us
   */
  public static boolean lower(long pid, long files) {
    return Binding.of(List.of("libc.so.6"), Functions::of)
            instanceof Binding.Bound<Functions>(String _, Functions functions)
        && set(functions, pid, CORE, 0)
        && set(functions, pid, FILES, files);
  }

  private static boolean set(Functions functions, long pid, int what, long most) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment limit = arena.allocateFrom(C.LONG, most, most);
      return Downcall.number(
              () -> (int) functions.prlimit.invokeExact((int) pid, what, limit, MemorySegment.NULL))
          == 0;
    }
  }
}
