package dev.fairlead.nativecode;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Linux's Landlock: a thread gives up rights for good, and so does every process that it starts
 * from then on. What a version of the kernel cannot forbid stays allowed.
 */
public final class Landlock {
  private static final long CREATE_RULESET = 444;
  private static final long ADD_RULE = 445;
  private static final long RESTRICT_SELF = 446;
  private static final long ASK_VERSION = 1;
  private static final int PATH_BENEATH = 1;
  private static final int SET_NO_NEW_PRIVILEGES = 38;
  private static final int OPEN_PATH = 0x280000; // O_PATH | O_CLOEXEC

  private static final long EXECUTE = 1;
  private static final long WRITE_FILE = 1 << 1;
  private static final long READ_FILE = 1 << 2;
  private static final long READ_DIRECTORY = 1 << 3;
  private static final long TRUNCATE = 1 << 14;
  private static final long DEVICE_CONTROL = 1 << 15;
  private static final long OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | DEVICE_CONTROL;
  private static final long READ = READ_FILE | READ_DIRECTORY;

  /** All rights over files that versions 1, 2, 3 and 5 of the interface know. */
  private static final long[] HANDLED = {
    (1 << 13) - 1, (1 << 14) - 1, (1 << 15) - 1, (1 << 15) - 1, (1 << 16) - 1
  };

  private static final int WITH_NETWORK = 4;
  private static final int WITH_SCOPES = 6;
  private static final long NO_TCP = 3;
  private static final long NO_FOREIGN_SOCKETS_OR_SIGNALS = 3;

  private static final Optional<Functions> LIBC =
      Binding.of(List.of("libc.so.6"), Functions::of)
              instanceof Binding.Bound<Functions>(String _, Functions functions)
          ? Optional.of(functions)
          : Optional.empty();

  private Landlock() {}

  private record Functions(
      MethodHandle syscall, MethodHandle open, MethodHandle close, MethodHandle prctl) {
    static Functions of(Symbols libc) {
      return new Functions(
          libc.function("syscall", C.LONG, C.LONG, C.LONG, C.LONG, C.POINTER, C.LONG),
          libc.function("open", C.INT, C.POINTER, C.INT),
          libc.function("close", C.INT, C.INT),
          libc.function("prctl", C.INT, C.INT, C.LONG, C.LONG, C.LONG, C.LONG));
    }

    long create(MemorySegment attributes, long flags) {
      // The first argument of this call is the pointer: it is passed as a number.
      return Downcall.handle(() ->
          (long)
              syscall.invokeExact(
                  CREATE_RULESET,
                  attributes.address(),
                  attributes.byteSize(),
                  MemorySegment.ofAddress(flags),
                  0L));
    }
  }

  /**
   * What stays allowed. Paths that do not exist are left out.
   *
   * @param read files, and folders with all that is below
   * @param written folders in which all is allowed but to execute, and files
   * @param executed programs, and folders of them
   * @param devices device nodes that may be read, written and controlled; the directories that they
   *     are in may be listed
   */
  public record Rules(Set<Path> read, Set<Path> written, Set<Path> executed, Set<Path> devices) {
    public Rules {
      read = Set.copyOf(read);
      written = Set.copyOf(written);
      executed = Set.copyOf(executed);
      devices = Set.copyOf(devices);
    }
  }

  /** The version of the kernel's interface; zero if there is none, or it is switched off. */
  public static int version() {
    return LIBC.map(libc -> (int) Math.max(0, libc.create(MemorySegment.NULL, ASK_VERSION)))
        .orElse(0);
  }

  /**
   * Confines the current thread, which must be a platform thread that is needed for nothing else:
   * no new privileges, no files but those of the rules, no TCP, no signals to other processes.
   *
   * @throws IllegalStateException if the kernel refuses
   */
  public static void confineThread(Rules rules) {
    int version = version();
    Functions libc = LIBC.orElseThrow(() -> new IllegalStateException("There is no libc"));
    if (version == 0) {
      throw new IllegalStateException("The kernel has no Landlock");
    }
    long handled = HANDLED[Math.min(version, HANDLED.length) - 1];
    try (Arena arena = Arena.ofConfined()) {
      long size = version >= WITH_SCOPES ? 24 : version >= WITH_NETWORK ? 16 : 8;
      MemorySegment attributes = arena.allocate(24, 8);
      attributes.set(ValueLayout.JAVA_LONG, 0, handled);
      attributes.set(ValueLayout.JAVA_LONG, 8, NO_TCP);
      attributes.set(ValueLayout.JAVA_LONG, 16, NO_FOREIGN_SOCKETS_OR_SIGNALS);
      int ruleset =
          (int) check("landlock_create_ruleset", libc.create(attributes.asSlice(0, size), 0));
      try {
        rules.read().forEach(path -> allow(libc, ruleset, path, READ & handled));
        rules.executed().forEach(path -> allow(libc, ruleset, path, (READ | EXECUTE) & handled));
        rules.written().forEach(path -> allow(libc, ruleset, path, handled & ~EXECUTE));
        rules
            .devices()
            .forEach(
                path -> allow(libc, ruleset, path, (READ | WRITE_FILE | DEVICE_CONTROL) & handled));
        // Drivers look through the directory for the node that they were given.
        rules.devices().stream()
            .map(Path::getParent)
            .filter(Objects::nonNull)
            .distinct()
            .forEach(directory -> allow(libc, ruleset, directory, READ_DIRECTORY));
        check(
            "prctl",
            Downcall.number(
                () -> (int) libc.prctl.invokeExact(SET_NO_NEW_PRIVILEGES, 1L, 0L, 0L, 0L)));
        check(
            "landlock_restrict_self",
            Downcall.handle(() ->
                (long)
                    libc.syscall.invokeExact(
                        RESTRICT_SELF, (long) ruleset, 0L, MemorySegment.NULL, 0L)));
      } finally {
        close(libc, ruleset);
      }
    }
  }

  private static void allow(Functions libc, int ruleset, Path path, long rights) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(path.toString());
      int file = Downcall.number(() -> (int) libc.open.invokeExact(name, OPEN_PATH));
      if (file < 0) {
        return; // what is not there, or not for this user, need not be allowed
      }
      try {
        MemorySegment rule = arena.allocate(16, 8);
        rule.set(ValueLayout.JAVA_LONG, 0, Files.isDirectory(path) ? rights : rights & OF_FILES);
        rule.set(ValueLayout.JAVA_INT, 8, file);
        check(
            "landlock_add_rule for " + path,
            Downcall.handle(() ->
                (long)
                    libc.syscall.invokeExact(
                        ADD_RULE, (long) ruleset, (long) PATH_BENEATH, rule, 0L)));
      } finally {
        close(libc, file);
      }
    }
  }

  private static void close(Functions libc, int file) {
    int _ = Downcall.number(() -> (int) libc.close.invokeExact(file));
  }

  private static long check(String call, long answer) {
    if (answer < 0) {
      throw new IllegalStateException(call + " failed");
    }
    return answer;
  }
}
