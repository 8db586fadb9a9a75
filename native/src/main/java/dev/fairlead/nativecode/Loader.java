package dev.fairlead.nativecode;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;

/** The system's own loader, asked for the reason when a library cannot be loaded. */
final class Loader {
  private static final int RTLD_LAZY = 1;
  private static final int NO_SUCH_FILE = 2; // ENOENT
  private static final int LONGEST_REASON = 4096;
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private Loader() {}

  /**
   * Why a library cannot be loaded.
   *
   * @param reason in the language of the user, as the system says it
   * @param missing whether the library itself is not there, and not something that it needs
   */
  record Refusal(String reason, boolean missing) {}

  private record Functions(MethodHandle dlopen, MethodHandle dlerror) {
    @SuppressWarnings("restricted") // two functions whose signatures are known
    static Functions of(SymbolLookup system) {
      Linker linker = Linker.nativeLinker();
      return new Functions(
          linker.downcallHandle(
              system.findOrThrow("dlopen"),
              FunctionDescriptor.of(C.POINTER, C.POINTER, C.INT),
              Linker.Option.captureCallState("errno")),
          linker.downcallHandle(system.findOrThrow("dlerror"), FunctionDescriptor.of(C.POINTER)));
    }
  }

  static Refusal refusal(String name) {
    try (Arena arena = Arena.ofConfined()) {
      Functions functions = Functions.of(Linker.nativeLinker().defaultLookup());
      MemorySegment asked = arena.allocateFrom(name);
      MemorySegment state = arena.allocate(STATE);
      MemorySegment library =
          Downcall.pointer(
              () -> (MemorySegment) functions.dlopen.invokeExact(state, asked, RTLD_LAZY));
      if (library.address() == 0) {
        MemorySegment error =
            Downcall.pointer(() -> (MemorySegment) functions.dlerror.invokeExact());
        String reason = C.textAt(error, LONGEST_REASON);
        if (!reason.isEmpty()) {
          return new Refusal(reason, isMissing(name, reason, (int) ERRNO.get(state, 0L)));
        }
      }
    } catch (RuntimeException untold) {
      // Systems without these functions give no reason.
    }
    return new Refusal(name + " cannot be loaded", isMissing(name, "", NO_SUCH_FILE));
  }

  /**
   * Whether a library itself is missing. A path is there or not. Of a plain name, the reason begins
   * with what could not be opened: the name that was asked for, if it was found nowhere; the path
   * where it was found, if it is damaged; the name of what it needs, if that is missing. The words
   * that follow are in the language of the user, and are not looked at.
   */
  static boolean isMissing(String name, String reason, int errno) {
    return name.contains("/")
        ? !Files.exists(Path.of(name))
        : reason.startsWith(name + ":") && errno == NO_SUCH_FILE;
  }
}
