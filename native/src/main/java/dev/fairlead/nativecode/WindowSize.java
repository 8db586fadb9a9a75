package dev.fairlead.nativecode;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;

/** The size of a terminal's window, in characters. */
public record WindowSize(int columns, int rows) {
  private static final long ASK = 0x5413; // TIOCGWINSZ
  private static final int BYTES = 8; // rows, columns, and the same in pixels
  private static final int STANDARD_OUTPUT = 1;

  private record Functions(MethodHandle ioctl) {
    static Functions of(Symbols libc) {
      return new Functions(libc.variadic("ioctl", 2, C.INT, C.INT, C.LONG, C.POINTER));
    }
  }

  private static final Binding<Functions> LIBC = Binding.of(List.of("libc.so.6"), Functions::of);

  /** That of the terminal which standard output goes to; empty if it goes elsewhere. */
  public static Optional<WindowSize> ofOutput() {
    if (!(LIBC instanceof Binding.Bound<Functions>(String _, Functions functions))) {
      return Optional.empty();
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment size = arena.allocate(BYTES, Short.BYTES);
      int failed =
          Downcall.number(() -> (int) functions.ioctl.invokeExact(STANDARD_OUTPUT, ASK, size));
      int rows = Short.toUnsignedInt(size.get(C.SHORT, 0));
      int columns = Short.toUnsignedInt(size.get(C.SHORT, Short.BYTES));
      // Some terminals answer, and do not know.
      return failed != 0 || rows == 0 || columns == 0
          ? Optional.empty()
          : Optional.of(new WindowSize(columns, rows));
    }
  }
}
