package dev.fairlead.nativecode;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/** The system's own loader, asked for the reason when a library cannot be loaded. */
final class Loader {
  private static final int RTLD_LAZY = 1;
  private static final int LONGEST_REASON = 4096;

  private Loader() {}

  private record Functions(MethodHandle dlopen, MethodHandle dlerror) {
    @SuppressWarnings("restricted") // two functions whose signatures are known
    static Functions of(SymbolLookup system) {
      Linker linker = Linker.nativeLinker();
      return new Functions(
          linker.downcallHandle(
              system.findOrThrow("dlopen"), FunctionDescriptor.of(C.POINTER, C.POINTER, C.INT)),
          linker.downcallHandle(system.findOrThrow("dlerror"), FunctionDescriptor.of(C.POINTER)));
    }
  }

  static String reason(String name) {
    try (Arena arena = Arena.ofConfined()) {
      Functions functions = Functions.of(Linker.nativeLinker().defaultLookup());
      MemorySegment asked = arena.allocateFrom(name);
      MemorySegment library =
          Downcall.pointer(() -> (MemorySegment) functions.dlopen.invokeExact(asked, RTLD_LAZY));
      if (library.address() == 0) {
        MemorySegment error =
            Downcall.pointer(() -> (MemorySegment) functions.dlerror.invokeExact());
        String reason = C.textAt(error, LONGEST_REASON);
        if (!reason.isEmpty()) {
          return reason;
        }
      }
    } catch (RuntimeException untold) {
      // Systems without these functions give no reason.
    }
    return name + " cannot be loaded";
  }
}
