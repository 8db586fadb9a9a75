package dev.fairlead.cuda;

import dev.fairlead.compute.driver.ComputeDriver.Pinned;
import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.cuda.KeptBlocks.Block;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The memory of a context, on the device and pinned on the host. Allocating and freeing wait in the
 * driver for all that runs on the device, so that two slots would hardly overlap: what is freed is
 * kept, up to a part of the device's memory, and given to the next that asks for about as much. It
 * goes back to the driver when an allocation would fail otherwise, and with the context.
 *
 * <p>A buffer may be freed while commands that use it are on their way, on whichever stream. An
 * event is recorded on each that is not idle, and the block is used again when all have come;
 * nobody waits for that. The driver's own pools ({@code cuMemAllocAsync}) order by one stream,
 * which is not known here, and their memory is out of reach for other devices unless each pool says
 * so.
 */
final class CudaMemory {
  private static final int PORTABLE = 1; // CU_MEMHOSTALLOC_PORTABLE
  private static final int KEPT_PART = 4;
  private static final long MOST_PINNED = 64L << 20;

  /** What marks the end of what was given to a stream, and tells when that has come. */
  interface Marks {
    boolean isIdle(long stream);

    long mark(long stream);

    boolean isDone(long event);

    void releaseEvent(long event);
  }

  private final Cu cu;
  private final CudaCalls calls;
  private final Marks marks;
  private final Map<Long, Long> sizes = new ConcurrentHashMap<>();
  private final KeptBlocks onDevice;
  private final KeptBlocks onHost = new KeptBlocks(MOST_PINNED);

  /** Guarded by itself: no event is recorded on a stream that is being closed. */
  private final Set<Long> streams = new HashSet<>();

  CudaMemory(Cu cu, CudaCalls calls, Marks marks, long deviceBytes) {
    this.cu = cu;
    this.calls = calls;
    this.marks = marks;
    this.onDevice = new KeptBlocks(deviceBytes / KEPT_PART);
  }

  /** Memory of the device that would go back to the driver if another one needed it. */
  long keptBytes() {
    return onDevice.bytes();
  }

  void opened(long stream) {
    synchronized (streams) {
      streams.add(stream);
    }
  }

  /** Nothing is on its way on the stream any more, and it is about to be closed. */
  void closing(long stream) {
    synchronized (streams) {
      streams.remove(stream);
    }
  }

  long allocate(long bytes) {
    Block kept = onDevice.take(bytes, this::isOver);
    return kept == null
        ? entered(
            bytes,
            () -> calls.made("cuMemAlloc_v2", out -> (int) cu.memAlloc().invokeExact(out, bytes)))
        : reused(kept);
  }

  Pinned pin(long bytes) {
    Block kept = onHost.take(bytes, block -> true);
    long address =
        kept == null
            ? entered(
                bytes,
                () ->
                    calls.made(
                        "cuMemHostAlloc",
                        out -> (int) cu.memHostAlloc().invokeExact(out, bytes, PORTABLE)))
            : reused(kept);
    return new Pinned(address, address);
  }

  private long reused(Block block) {
    sizes.put(block.address(), block.bytes());
    return block.address();
  }

  /** Allocates, if need be with what is kept for nobody. */
  private long entered(long bytes, LongSupplier driver) {
    long address;
    try {
      address = driver.getAsLong();
    } catch (ComputeException.OutOfMemory none) {
      if (!giveBack()) {
        throw none;
      }
      address = driver.getAsLong();
    }
    sizes.put(address, bytes);
    return address;
  }

  void free(long address) {
    long bytes = Objects.requireNonNull(sizes.remove(address), "it is not allocated");
    if (onDevice.hasRoomFor(bytes)) {
      onDevice.keep(new Block(address, bytes, marks()));
    } else {
      freeNow(address);
    }
  }

  /** Nothing uses it any more: whoever unpins has waited for that. */
  void unpin(Pinned memory) {
    long bytes = Objects.requireNonNull(sizes.remove(memory.address()), "it is not pinned");
    if (onHost.hasRoomFor(bytes)) {
      onHost.keep(new Block(memory.address(), bytes, List.of()));
    } else {
      unpinNow(memory.address());
    }
  }

  private List<Long> marks() {
    List<Long> events = new ArrayList<>();
    synchronized (streams) {
      for (long stream : streams) {
        if (!marks.isIdle(stream)) {
          events.add(marks.mark(stream));
        }
      }
    }
    return List.copyOf(events);
  }

  /** Whether nothing on its way uses the block; then its events are given back. */
  private boolean isOver(Block block) {
    if (!block.events().stream().allMatch(marks::isDone)) {
      return false;
    }
    block.events().forEach(marks::releaseEvent);
    return true;
  }

  /**
   * Gives all that is kept to the driver, which waits for what is on its way; false if nothing is.
   */
  boolean giveBack() {
    List<Block> device = onDevice.takeAll();
    List<Block> host = onHost.takeAll();
    for (Block block : device) {
      freeNow(block.address());
      block.events().forEach(marks::releaseEvent);
    }
    host.forEach(block -> unpinNow(block.address()));
    return !device.isEmpty() || !host.isEmpty();
  }

  /** Gives back what it can at the end of the context, with which the rest goes. */
  void close() {
    try {
      boolean _ = giveBack();
    } catch (ComputeException gone) {
      // Somebody else in the process has reset the context.
    }
  }

  private void freeNow(long address) {
    calls.check("cuMemFree_v2", () -> (int) cu.memFree().invokeExact(address));
  }

  private void unpinNow(long address) {
    calls.check("cuMemFreeHost", () -> (int) cu.memFreeHost().invokeExact(address));
  }
}
