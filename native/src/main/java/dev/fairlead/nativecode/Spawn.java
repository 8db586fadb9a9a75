package dev.fairlead.nativecode;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The start of a program by {@code posix_spawn}, and the end of its process. The program has no
 * standard input, and of this process's files it has none.
 */
final class Spawn {
  private static final long CLOSE_RANGE = 436;
  private static final long FIRST_FILE = 3;
  private static final long ALL_FILES = 0xffff_ffffL;
  private static final long UNSHARE_AND_CLOSE_ON_EXEC = 2 | 4;
  private static final short SET_SIGNAL_MASK = 8;
  private static final int READ_ONLY = 0;
  private static final int APPEND = 0x441; // O_WRONLY | O_CREAT | O_APPEND
  private static final int OWNER_WRITES = 0600;
  private static final int BY_PID = 1;
  private static final int ENDED_BUT_KEPT = 4 | 0x0100_0000; // WEXITED | WNOWAIT

  /** More than any C library takes for the structures that are opaque here. */
  private static final long OPAQUE_BYTES = 1024;

  private static final Functions LIBC =
      switch (Binding.of(List.of("libc.so.6"), Functions::of)) {
        case Binding.Bound<Functions>(String _, Functions functions) -> functions;
        case Binding.Unbound<Functions> unbound ->
            throw new IllegalStateException(unbound.reason());
      };

  private record Functions(
      MethodHandle spawn,
      MethodHandle actionsInit,
      MethodHandle actionsOpen,
      MethodHandle actionsDup,
      MethodHandle actionsDestroy,
      MethodHandle attributesInit,
      MethodHandle attributesFlags,
      MethodHandle attributesMask,
      MethodHandle attributesDestroy,
      MethodHandle syscall,
      MethodHandle waitid,
      MethodHandle waitpid,
      MethodHandle kill) {
    static Functions of(Symbols libc) {
      return new Functions(
          libc.function(
              "posix_spawn",
              C.INT,
              C.POINTER,
              C.POINTER,
              C.POINTER,
              C.POINTER,
              C.POINTER,
              C.POINTER),
          libc.function("posix_spawn_file_actions_init", C.INT, C.POINTER),
          libc.function(
              "posix_spawn_file_actions_addopen", C.INT, C.POINTER, C.INT, C.POINTER, C.INT, C.INT),
          libc.function("posix_spawn_file_actions_adddup2", C.INT, C.POINTER, C.INT, C.INT),
          libc.function("posix_spawn_file_actions_destroy", C.INT, C.POINTER),
          libc.function("posix_spawnattr_init", C.INT, C.POINTER),
          libc.function("posix_spawnattr_setflags", C.INT, C.POINTER, C.SHORT),
          libc.function("posix_spawnattr_setsigmask", C.INT, C.POINTER, C.POINTER),
          libc.function("posix_spawnattr_destroy", C.INT, C.POINTER),
          libc.function("syscall", C.LONG, C.LONG, C.LONG, C.LONG, C.LONG),
          libc.function("waitid", C.INT, C.INT, C.INT, C.POINTER, C.INT),
          libc.function("waitpid", C.INT, C.INT, C.POINTER, C.INT),
          libc.function("kill", C.INT, C.INT, C.INT));
    }
  }

  private final List<String> command;
  private final Map<String, String> environment;
  private final Path output;

  Spawn(List<String> command, Map<String, String> environment, Path output) {
    this.command = List.copyOf(command);
    this.environment = Map.copyOf(environment);
    this.output = output;
  }

  /**
   * Starts the program with the rights of the current thread, which from then on has a table of
   * files of its own: it should end.
   *
   * @return the number of the process
   */
  int run() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment actions = arena.allocate(OPAQUE_BYTES, 16);
      MemorySegment attributes = arena.allocate(OPAQUE_BYTES, 16);
      MemorySegment noSignals = arena.allocate(OPAQUE_BYTES, 16);
      MemorySegment pid = arena.allocate(C.INT);
      MemorySegment nothing = arena.allocateFrom("/dev/null");
      MemorySegment log = arena.allocateFrom(output.toAbsolutePath().toString());
      MemorySegment program = arena.allocateFrom(command.getFirst());
      MemorySegment arguments = texts(arena, command);
      MemorySegment variables =
          texts(
              arena,
              environment.entrySet().stream()
                  .map(each -> each.getKey() + "=" + each.getValue())
                  .toList());
      check(() -> (int) LIBC.actionsInit.invokeExact(actions));
      check(() -> (int) LIBC.attributesInit.invokeExact(attributes));
      try {
        check(() -> (int) LIBC.actionsOpen.invokeExact(actions, 0, nothing, READ_ONLY, 0));
        check(() -> (int) LIBC.actionsOpen.invokeExact(actions, 1, log, APPEND, OWNER_WRITES));
        check(() -> (int) LIBC.actionsDup.invokeExact(actions, 1, 2));
        check(() -> (int) LIBC.attributesFlags.invokeExact(attributes, SET_SIGNAL_MASK));
        check(() -> (int) LIBC.attributesMask.invokeExact(attributes, noSignals));
        // Java's own files are not all marked to be closed; here they are, for this thread alone.
        check(() ->
            (int)
                (long)
                    LIBC.syscall.invokeExact(
                        CLOSE_RANGE, FIRST_FILE, ALL_FILES, UNSHARE_AND_CLOSE_ON_EXEC));
        check(() ->
            (int) LIBC.spawn.invokeExact(pid, program, actions, attributes, arguments, variables));
        return pid.get(C.INT, 0);
      } finally {
        check(() -> (int) LIBC.attributesDestroy.invokeExact(attributes));
        check(() -> (int) LIBC.actionsDestroy.invokeExact(actions));
      }
    }
  }

  private static MemorySegment texts(Arena arena, List<String> texts) {
    MemorySegment pointers = arena.allocate(C.POINTER, texts.size() + 1L);
    for (int i = 0; i < texts.size(); i++) {
      pointers.setAtIndex(C.POINTER, i, arena.allocateFrom(texts.get(i)));
    }
    return pointers;
  }

  private static void check(Downcall.ToInt call) {
    int code = Downcall.number(call);
    if (code != 0) {
      throw new IllegalStateException("the system answers with error " + code);
    }
  }

  /** Waits until a child has ended. It keeps its number until it is reaped. */
  static void awaitEnd(int pid) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment unused = arena.allocate(OPAQUE_BYTES, 16);
      // Interrupted by a signal it is asked again; a process that is gone cannot be signalled.
      while (Downcall.number(
                  () -> (int) LIBC.waitid.invokeExact(BY_PID, pid, unused, ENDED_BUT_KEPT))
              != 0
          && Downcall.number(() -> (int) LIBC.kill.invokeExact(pid, 0)) == 0) {}
    }
  }

  /** Frees the number of a child that has ended; gives what it ended with, as Java tells it. */
  static int reap(int pid) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment status = arena.allocate(C.INT);
      if (Downcall.number(() -> (int) LIBC.waitpid.invokeExact(pid, status, 0)) != pid) {
        return -1; // whoever started this process lets the system forget its children
      }
      int ended = status.get(C.INT, 0);
      int signal = ended & 0x7f;
      return signal == 0 ? ended >> 8 & 0xff : 0x80 + signal;
    }
  }

  static void signal(int pid, int number) {
    int _ = Downcall.number(() -> (int) LIBC.kill.invokeExact(pid, number));
  }
}
