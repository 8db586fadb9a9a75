package dev.fairlead.cuda;

import dev.fairlead.compute.driver.ComputeDriver;
import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.compute.driver.DriverCodes;
import dev.fairlead.compute.driver.DriverError;
import dev.fairlead.compute.driver.Grid;
import dev.fairlead.compute.driver.NativeHandles;
import dev.fairlead.compute.driver.PackedArguments;
import dev.fairlead.compute.driver.Parameter;
import dev.fairlead.compute.driver.ProgramSource;
import dev.fairlead.compute.driver.ProgramSource.Language;
import dev.fairlead.device.Fault;
import dev.fairlead.nativecode.C;
import dev.fairlead.nativecode.Downcall;
import dev.fairlead.policy.Priority;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A CUDA device, opened: its primary context, which all libraries in the process share.
 *
 * <p>A context that a fault has poisoned is reset before it is released, since releasing it does
 * nothing while others hold it; what others had in it is as dead as what was made here.
 */
final class CudaDriver implements ComputeDriver {
  private static final int WAIT_WITHOUT_SPINNING = 4; // CU_CTX_SCHED_BLOCKING_SYNC
  private static final int PORTABLE = 1; // CU_MEMHOSTALLOC_PORTABLE
  private static final int NON_BLOCKING = 1; // CU_STREAM_NON_BLOCKING
  private static final int EVENT_WAITS_WITHOUT_SPINNING = 1; // CU_EVENT_BLOCKING_SYNC
  private static final int JIT_ERROR_LOG_BUFFER = 5;
  private static final int JIT_ERROR_LOG_BUFFER_SIZE = 6;
  private static final int MAX_THREADS_PER_BLOCK = 0;
  private static final int LONGEST_LOG = 1 << 16;
  private static final double NANOS_PER_MILLI = 1e6;

  private final Cu cu;
  private final DriverCodes codes;
  private final CudaDevice device;
  private final @Nullable Nvml nvml;
  private final Map<Long, Ptx> programs = new ConcurrentHashMap<>();
  private final Map<Long, List<Parameter>> parameters = new ConcurrentHashMap<>();
  private final long context;
  private volatile boolean poisoned;

  private CudaDriver(Cu cu, CudaDevice device, @Nullable Nvml nvml) {
    this.cu = cu;
    this.codes = CudaCodes.of(cu);
    this.device = device;
    this.nvml = nvml;
    int flagged =
        Downcall.number(() ->
            (int) cu.primaryCtxSetFlags().invokeExact(device.handle(), WAIT_WITHOUT_SPINNING));
    // Somebody else in the process has opened it already, and waits as it was told to.
    if (flagged != CudaCodes.PRIMARY_CONTEXT_ACTIVE) {
      codes.check("cuDevicePrimaryCtxSetFlags_v2", flagged);
    }
    this.context =
        made(
            "cuDevicePrimaryCtxRetain",
            out -> (int) cu.primaryCtxRetain().invokeExact(out, device.handle()));
  }

  /**
   * Opens a device.
   *
   * @throws dev.fairlead.device.DeviceException with {@link Fault#LOST} if NVML says it is gone
   */
  static CudaDriver open(Cu cu, CudaDevice device, @Nullable Nvml nvml) {
    try {
      return new CudaDriver(cu, device, nvml);
    } catch (ComputeException failure) {
      if (nvml != null) {
        nvml.read(device.uuid());
      }
      throw failure;
    }
  }

  private void check(String function, Downcall.ToInt call) {
    int code = Downcall.number(call);
    if (code != 0) {
      throw failure(function, code);
    }
  }

  private ComputeException failure(String function, int code) {
    ComputeException failure = codes.failure(function, code);
    poisoned |= failure.fault() == Fault.CONTEXT || failure.fault() == Fault.LOST;
    return failure;
  }

  private interface Maker {
    int to(MemorySegment out) throws Throwable;
  }

  /** A call that writes a handle or a number. */
  private long made(String function, Maker maker) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(C.LONG);
      check(function, () -> maker.to(out));
      return out.get(C.LONG, 0);
    }
  }

  @Override
  public NativeHandles handles() {
    return new NativeHandles(CudaCodes.DRIVER, 0, device.handle(), context);
  }

  @Override
  public Set<Language> languages() {
    return Set.of(Language.PTX);
  }

  @Override
  public void bind() {
    check("cuCtxSetCurrent", () -> (int) cu.ctxSetCurrent().invokeExact(context));
  }

  /** Asked on threads of others, which get back whatever context was current there. */
  @Override
  public Optional<Memory> memory() {
    if (poisoned) {
      return Optional.empty();
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment free = arena.allocate(C.SIZE);
      MemorySegment total = arena.allocate(C.SIZE);
      MemorySegment popped = arena.allocate(C.LONG);
      check("cuCtxPushCurrent_v2", () -> (int) cu.ctxPushCurrent().invokeExact(context));
      try {
        check("cuMemGetInfo_v2", () -> (int) cu.memGetInfo().invokeExact(free, total));
      } finally {
        check("cuCtxPopCurrent_v2", () -> (int) cu.ctxPopCurrent().invokeExact(popped));
      }
      return Optional.of(new Memory(free.get(C.SIZE, 0), total.get(C.SIZE, 0)));
    }
  }

  @Override
  public int foreignStreams() {
    return nvml == null
        ? 0
        : nvml.read(device.uuid())
            .map(reading -> reading.foreignStreams(ProcessHandle.current().pid()))
            .orElse(0);
  }

  // ---- memory

  @Override
  public long allocate(long bytes) {
    return made("cuMemAlloc_v2", out -> (int) cu.memAlloc().invokeExact(out, bytes));
  }

  @Override
  public void free(long buffer) {
    check("cuMemFree_v2", () -> (int) cu.memFree().invokeExact(buffer));
  }

  @Override
  public Pinned pin(long bytes) {
    long address =
        made("cuMemHostAlloc", out -> (int) cu.memHostAlloc().invokeExact(out, bytes, PORTABLE));
    return new Pinned(address, address);
  }

  @Override
  public void unpin(Pinned memory) {
    check("cuMemFreeHost", () -> (int) cu.memFreeHost().invokeExact(memory.address()));
  }

  // ---- programs

  @Override
  public long build(ProgramSource source) {
    if (!source.options().isBlank()) {
      throw new ComputeException.BadArgument(
          "Programs in PTX take no options, and were given \"" + source.options() + "\"");
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(C.LONG);
      MemorySegment log = arena.allocate(LONGEST_LOG);
      MemorySegment options =
          arena.allocateFrom(C.INT, JIT_ERROR_LOG_BUFFER, JIT_ERROR_LOG_BUFFER_SIZE);
      // The size is itself the value, not a pointer to it.
      MemorySegment values = arena.allocateFrom(C.LONG, log.address(), LONGEST_LOG);
      MemorySegment image = arena.allocateFrom(source.text());
      int code =
          Downcall.number(
              () -> (int) cu.moduleLoadDataEx().invokeExact(out, image, 2, options, values));
      if (CudaCodes.isBuildFailure(code)) {
        throw new ComputeException.BuildFailed(C.text(log), error("cuModuleLoadDataEx", code));
      }
      check("cuModuleLoadDataEx", () -> code);
      programs.put(out.get(C.LONG, 0), Ptx.of(source.text()));
      return out.get(C.LONG, 0);
    }
  }

  private DriverError error(String function, int code) {
    return new DriverError(CudaCodes.DRIVER, function, code, codes.names().apply(code));
  }

  @Override
  public void releaseProgram(long program) {
    programs.remove(program);
    check("cuModuleUnload", () -> (int) cu.moduleUnload().invokeExact(program));
  }

  @Override
  public long kernel(long program, String name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(C.LONG);
      MemorySegment text = arena.allocateFrom(name);
      int code =
          Downcall.number(() -> (int) cu.moduleGetFunction().invokeExact(out, program, text));
      if (code == CudaCodes.NOT_FOUND) {
        throw new ComputeException.NoSuchKernel(
            "The program has no kernel " + name, error("cuModuleGetFunction", code));
      }
      check("cuModuleGetFunction", () -> code);
      long kernel = out.get(C.LONG, 0);
      parameters.remove(kernel);
      Ptx ptx = programs.get(program);
      if (ptx != null && ptx.entries().containsKey(name)) {
        parameters.put(kernel, ptx.entries().get(name));
      }
      return kernel;
    }
  }

  @Override
  public Optional<List<Parameter>> parameters(long kernel) {
    return Optional.ofNullable(parameters.get(kernel));
  }

  /** A kernel is part of its program and goes with it. */
  @Override
  public void releaseKernel(long kernel) {}

  // ---- streams

  @Override
  public long openStream(Priority priority) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment least = arena.allocate(C.INT);
      MemorySegment greatest = arena.allocate(C.INT);
      check(
          "cuCtxGetStreamPriorityRange",
          () -> (int) cu.ctxGetStreamPriorityRange().invokeExact(least, greatest));
      int low = least.get(C.INT, 0);
      int high = greatest.get(C.INT, 0);
      int level =
          switch (priority) {
            case LOW -> low;
            case NORMAL -> (low + high) / 2;
            case HIGH -> high;
          };
      return made(
          "cuStreamCreateWithPriority",
          out -> (int) cu.streamCreateWithPriority().invokeExact(out, NON_BLOCKING, level));
    }
  }

  @Override
  public void closeStream(long stream) {
    check("cuStreamDestroy_v2", () -> (int) cu.streamDestroy().invokeExact(stream));
  }

  @Override
  public void synchronise(long stream) {
    check("cuStreamSynchronize", () -> (int) cu.streamSynchronize().invokeExact(stream));
  }

  @Override
  public void upload(long stream, Copy copy) {
    long from = copy.from() + copy.fromOffset();
    long to = copy.to() + copy.toOffset();
    check(
        "cuMemcpyHtoDAsync_v2",
        () -> (int) cu.memcpyHtoDAsync().invokeExact(to, from, copy.bytes(), stream));
  }

  @Override
  public void download(long stream, Copy copy) {
    long from = copy.from() + copy.fromOffset();
    long to = copy.to() + copy.toOffset();
    check(
        "cuMemcpyDtoHAsync_v2",
        () -> (int) cu.memcpyDtoHAsync().invokeExact(to, from, copy.bytes(), stream));
  }

  @Override
  public void copy(long stream, Copy copy) {
    long from = copy.from() + copy.fromOffset();
    long to = copy.to() + copy.toOffset();
    check(
        "cuMemcpyDtoDAsync_v2",
        () -> (int) cu.memcpyDtoDAsync().invokeExact(to, from, copy.bytes(), stream));
  }

  @Override
  public void fill(long stream, Copy target, byte value) {
    long to = target.to() + target.toOffset();
    check(
        "cuMemsetD8Async",
        () -> (int) cu.memsetD8Async().invokeExact(to, value, target.bytes(), stream));
  }

  @Override
  public void launch(long stream, long kernel, Grid grid, PackedArguments arguments) {
    CudaGrid blocks = CudaGrid.of(grid, () -> threadsPerBlock(kernel));
    int shared = Math.toIntExact(arguments.localBytes());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment pointers = arena.allocate(C.POINTER, Math.max(1, arguments.count()));
      int count = 0;
      for (int index = 0; index < arguments.count(); index++) {
        // Local memory is no parameter here: its size goes with the launch.
        if (!arguments.isLocal(index)) {
          pointers.setAtIndex(C.POINTER, count, arguments.pointer(index));
          count++;
        }
      }
      check(
          "cuLaunchKernel",
          () ->
              (int)
                  cu.launchKernel()
                      .invokeExact(
                          kernel,
                          blocks.x(),
                          blocks.y(),
                          blocks.z(),
                          blocks.threadsX(),
                          blocks.threadsY(),
                          blocks.threadsZ(),
                          shared,
                          stream,
                          pointers,
                          MemorySegment.NULL));
    }
  }

  private int threadsPerBlock(long kernel) {
    return (int)
        made(
            "cuFuncGetAttribute",
            out -> (int) cu.funcGetAttribute().invokeExact(out, MAX_THREADS_PER_BLOCK, kernel));
  }

  // ---- events

  @Override
  public long mark(long stream) {
    long event =
        made(
            "cuEventCreate",
            out -> (int) cu.eventCreate().invokeExact(out, EVENT_WAITS_WITHOUT_SPINNING));
    check("cuEventRecord", () -> (int) cu.eventRecord().invokeExact(event, stream));
    return event;
  }

  @Override
  public void waitFor(long stream, long event) {
    check("cuStreamWaitEvent", () -> (int) cu.streamWaitEvent().invokeExact(stream, event, 0));
  }

  @Override
  public boolean isDone(long event) {
    int code = Downcall.number(() -> (int) cu.eventQuery().invokeExact(event));
    if (code != CudaCodes.NOT_READY) {
      check("cuEventQuery", () -> code);
    }
    return code != CudaCodes.NOT_READY;
  }

  @Override
  public void await(long event) {
    check("cuEventSynchronize", () -> (int) cu.eventSynchronize().invokeExact(event));
  }

  @Override
  public long nanosBetween(long earlier, long later) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment millis = arena.allocate(C.FLOAT);
      check(
          "cuEventElapsedTime",
          () -> (int) cu.eventElapsedTime().invokeExact(millis, earlier, later));
      return Math.round(millis.get(C.FLOAT, 0) * NANOS_PER_MILLI);
    }
  }

  @Override
  public void releaseEvent(long event) {
    check("cuEventDestroy_v2", () -> (int) cu.eventDestroy().invokeExact(event));
  }

  @Override
  public void close() {
    try {
      if (poisoned) {
        check(
            "cuDevicePrimaryCtxReset_v2",
            () -> (int) cu.primaryCtxReset().invokeExact(device.handle()));
      }
    } finally {
      check(
          "cuDevicePrimaryCtxRelease_v2",
          () -> (int) cu.primaryCtxRelease().invokeExact(device.handle()));
    }
  }
}
