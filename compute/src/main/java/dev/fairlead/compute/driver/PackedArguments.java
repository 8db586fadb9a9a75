package dev.fairlead.compute.driver;

import java.lang.foreign.MemorySegment;

/**
 * Arguments as drivers want them: each as bytes in memory. A buffer is its handle; local memory has
 * a size and no bytes.
 */
public final class PackedArguments {
  public static final long LOCAL = -1;

  private final MemorySegment memory;
  private final long[] offsets;
  private final long[] sizes;

  /**
   * Takes the arrays as they are.
   *
   * @param memory native memory that is good until the launch call returns
   * @param offsets where each argument begins; {@link #LOCAL} for local memory
   */
  public PackedArguments(MemorySegment memory, long[] offsets, long[] sizes) {
    this.memory = memory;
    this.offsets = offsets;
    this.sizes = sizes;
  }

  public int count() {
    return offsets.length;
  }

  public boolean isLocal(int index) {
    return offsets[index] == LOCAL;
  }

  public long size(int index) {
    return sizes[index];
  }

  /** Where the bytes of an argument are; null, as C knows it, for local memory. */
  public MemorySegment pointer(int index) {
    return isLocal(index) ? MemorySegment.NULL : memory.asSlice(offsets[index], sizes[index]);
  }

  /** Bytes of local memory that the launch needs in all. */
  public long localBytes() {
    long bytes = 0;
    for (int index = 0; index < count(); index++) {
      bytes += isLocal(index) ? sizes[index] : 0;
    }
    return bytes;
  }
}
