package dev.fairlead.nativecode;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.BitSet;
import java.util.List;

/** A set of processors, such as those that are near to a device. */
public final class Cpus {
  private static final int MASK_BYTES = 128; // cpu_set_t
  private static final int CURRENT_THREAD = 0;
  private static final Cpus ANY = new Cpus(new BitSet());

  private final BitSet numbers;

  private Cpus(BitSet numbers) {
    this.numbers = numbers;
  }

  /** No set in particular. */
  public static Cpus any() {
    return ANY;
  }

  /**
   * The processors that a list of the system names, such as {@code 0-3,8}.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Cpus of(String list) {
    BitSet numbers = new BitSet();
    for (String range : list.isBlank() ? new String[0] : list.strip().split(",")) {
      String[] ends = range.split("-", 2);
      int first = Integer.parseInt(ends[0]);
      int last = Integer.parseInt(ends[ends.length - 1]);
      if (first > last) {
        throw new IllegalArgumentException("\"" + list + "\" is no list of processors");
      }
      numbers.set(first, last + 1);
    }
    return new Cpus(numbers);
  }

  private record Functions(MethodHandle read, MethodHandle write) {
    static Functions of(Symbols libc) {
      return new Functions(
          libc.function("sched_getaffinity", C.INT, C.INT, C.SIZE, C.POINTER),
          libc.function("sched_setaffinity", C.INT, C.INT, C.SIZE, C.POINTER));
    }
  }

  /**
   * Keeps the current thread, which must be a platform thread, on these processors from now on, as
   * far as it may run on them.
   *
   * @return false if it may run on none of them, or the system does not allow it: it stays as it is
   */
  public boolean confineThread() {
    if (numbers.isEmpty()
        || !(Binding.of(List.of("libc.so.6"), Functions::of)
            instanceof Binding.Bound<Functions>(String _, Functions functions))) {
      return false;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mask = arena.allocate(MASK_BYTES, Long.BYTES);
      int known =
          Downcall.number(
              () -> (int) functions.read.invokeExact(CURRENT_THREAD, (long) MASK_BYTES, mask));
      BitSet allowed = BitSet.valueOf(mask.toArray(ValueLayout.JAVA_LONG));
      allowed.and(numbers);
      if (known < 0 || allowed.isEmpty()) {
        return false;
      }
      mask.fill((byte) 0);
      byte[] chosen = allowed.toByteArray();
      MemorySegment.copy(chosen, 0, mask, ValueLayout.JAVA_BYTE, 0, chosen.length);
      return Downcall.number(
              () -> (int) functions.write.invokeExact(CURRENT_THREAD, (long) MASK_BYTES, mask))
          == 0;
    }
  }
}
