package dev.fairlead.cuda;

import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.compute.driver.DriverCodes;
import dev.fairlead.compute.driver.DriverError;
import dev.fairlead.device.Fault;
import dev.fairlead.nativecode.C;
import dev.fairlead.nativecode.Downcall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Calls of the driver about one device: what fails becomes an exception, what poisons is known. */
final class CudaCalls {
  private final DriverCodes codes;
  private final @Nullable NvmlDevice nvml;
  private final @Nullable DriverError before;
  private volatile @Nullable DriverError poison;
  private volatile boolean served;

  /**
   * Calls of a driver.
   *
   * @param nvml the device as NVML knows it; null where there is none
   * @param before the error that the last context of the device was reset for, if it was
   */
  CudaCalls(Cu cu, @Nullable NvmlDevice nvml, @Nullable DriverError before) {
    this.before = before;
    this.codes = CudaCodes.of(cu);
    this.nvml = nvml;
  }

  /** The first error that has said that the context is of no use any more. */
  Optional<DriverError> poison() {
    return Optional.ofNullable(poison);
  }

  /** Commands have come to their end, so that errors from now on are not those of before. */
  void endedWell() {
    if (!served) {
      served = true;
    }
  }

  void check(String function, Downcall.ToInt call) {
    int code = Downcall.number(call);
    if (code != 0) {
      throw failure(function, code);
    }
  }

  /** A device that has fallen off the bus answers with the unknown error; NVML knows better. */
  private ComputeException failure(String function, int code) {
    ComputeException failure = codes.failure(function, code);
    if (failure.fault() == Fault.CONTEXT && nvml != null) {
      try {
        nvml.requireThere();
      } catch (ComputeException told) {
        if (told.fault() == Fault.LOST) {
          failure = new ComputeException.DriverFailed(Fault.LOST, error(function, code));
        }
        failure.addSuppressed(told);
      }
    }
    if (failure.fault() == Fault.CONTEXT && hasOutlivedReset(code)) {
      failure = new ComputeException.NeedsNewProcess(error(function, code));
    }
    if (failure.poisons() && poison == null) {
      poison = error(function, code);
    }
    return failure;
  }

  private boolean hasOutlivedReset(int code) {
    return before != null && before.code() == code && !served;
  }

  DriverError error(String function, int code) {
    return new DriverError(CudaCodes.DRIVER, function, code, codes.names().apply(code));
  }

  /** A call that writes a handle or a number where it is told. */
  interface Maker {
    int to(MemorySegment out) throws Throwable;
  }

  long made(String function, Maker maker) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(C.LONG);
      check(function, () -> maker.to(out));
      return out.get(C.LONG, 0);
    }
  }
}
