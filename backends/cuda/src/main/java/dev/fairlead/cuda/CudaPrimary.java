package dev.fairlead.cuda;

import dev.fairlead.compute.driver.ComputeDriver.Memory;
import dev.fairlead.nativecode.C;
import dev.fairlead.nativecode.Downcall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The primary context of a device, which all libraries in the process share, held.
 *
 * <p>One that a fault has poisoned is reset before it is released, since releasing it does nothing
 * while others hold it; what others had in it is as dead as what was made here.
 */
final class CudaPrimary {
  private static final int WAIT_WITHOUT_SPINNING = 4; // CU_CTX_SCHED_BLOCKING_SYNC

  private final Cu cu;
  private final CudaCalls calls;
  private final int device;
  private final long context;

  CudaPrimary(Cu cu, CudaCalls calls, CudaDevice device) {
    this.cu = cu;
    this.calls = calls;
    this.device = device.handle();
    int number = device.handle();
    int flagged =
        Downcall.number(
            () -> (int) cu.primaryCtxSetFlags().invokeExact(number, WAIT_WITHOUT_SPINNING));
    // Somebody else in the process has opened it already, and waits as it was told to.
    if (flagged != CudaCodes.PRIMARY_CONTEXT_ACTIVE) {
      calls.check("cuDevicePrimaryCtxSetFlags_v2", () -> flagged);
    }
    this.context =
        calls.made(
            "cuDevicePrimaryCtxRetain",
            out -> (int) cu.primaryCtxRetain().invokeExact(out, number));
  }

  long handle() {
    return context;
  }

  void bind() {
    calls.check("cuCtxSetCurrent", () -> (int) cu.ctxSetCurrent().invokeExact(context));
  }

  /** On the thread's stack of contexts, above whatever is there. */
  void push() {
    calls.check("cuCtxPushCurrent_v2", () -> (int) cu.ctxPushCurrent().invokeExact(context));
  }

  void pop() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment popped = arena.allocate(C.LONG);
      calls.check("cuCtxPopCurrent_v2", () -> (int) cu.ctxPopCurrent().invokeExact(popped));
    }
  }

  /** Asked on threads of others, which get back whatever context was current there. */
  Optional<Memory> memory() {
    if (calls.poison().isPresent()) {
      return Optional.empty();
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment free = arena.allocate(C.SIZE);
      MemorySegment total = arena.allocate(C.SIZE);
      push();
      try {
        calls.check("cuMemGetInfo_v2", () -> (int) cu.memGetInfo().invokeExact(free, total));
      } finally {
        pop();
      }
      return Optional.of(new Memory(free.get(C.SIZE, 0), total.get(C.SIZE, 0)));
    }
  }

  void reset() {
    calls.check("cuDevicePrimaryCtxReset_v2", () -> (int) cu.primaryCtxReset().invokeExact(device));
  }

  void release() {
    calls.check(
        "cuDevicePrimaryCtxRelease_v2", () -> (int) cu.primaryCtxRelease().invokeExact(device));
  }
}
