package dev.fairlead.cuda;

import dev.fairlead.compute.driver.ComputeDriver;
import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.compute.driver.DriverError;
import dev.fairlead.compute.driver.Grid;
import dev.fairlead.compute.driver.NativeHandles;
import dev.fairlead.compute.driver.PackedArguments;
import dev.fairlead.compute.driver.Parameter;
import dev.fairlead.compute.driver.ProgramSource;
import dev.fairlead.compute.driver.ProgramSource.Language;
import dev.fairlead.nativecode.C;
import dev.fairlead.nativecode.Cpus;
import dev.fairlead.nativecode.Downcall;
import dev.fairlead.policy.Priority;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A CUDA device, opened: its primary context, and what is made and done there. */
final class CudaDriver implements ComputeDriver, CudaMemory.Marks {
  private static final int NON_BLOCKING = 1; // CU_STREAM_NON_BLOCKING
  private static final int EVENT_WAITS_WITHOUT_SPINNING = 1; // CU_EVENT_BLOCKING_SYNC
  private static final int MAX_THREADS_PER_BLOCK = 0;
  private static final double NANOS_PER_MILLI = 1e6;

  private final Cu cu;
  private final CudaCalls calls;
  private final CudaPrograms programs;
  private final CudaDevice device;
  private final CudaPrimary primary;
  private final CudaMemory memory;
  private final CudaResets resets;
  private final CudaPeers peers;
  private final Cpus near;
  private final @Nullable NvmlDevice nvml;

  /**
   * Opens a device.
   *
   * @param nvml to be asked whether the device is lost, and who uses it; null where there is none
   * @param near the processors that are near to the device
   * @param resets what contexts were reset for before
   */
  CudaDriver(Cu cu, CudaDevice device, @Nullable NvmlDevice nvml, Cpus near, CudaResets resets) {
    this.near = near;
    this.nvml = nvml;
    this.cu = cu;
    this.calls = new CudaCalls(cu, nvml, resets.last(device).orElse(null));
    this.programs = new CudaPrograms(cu, calls);
    this.device = device;
    this.resets = resets;
    this.primary = new CudaPrimary(cu, calls, device);
    this.memory = new CudaMemory(cu, calls, this, device.memoryBytes());
    this.peers = new CudaPeers(cu, calls, this);
  }

  CudaDevice device() {
    return device;
  }

  long context() {
    return primary.handle();
  }

  boolean isPoisoned() {
    return calls.poison().isPresent();
  }

  @Override
  public NativeHandles handles() {
    return new NativeHandles(CudaCodes.DRIVER, 0, device.handle(), primary.handle());
  }

  @Override
  public Set<Language> languages() {
    return Set.of(Language.PTX);
  }

  @Override
  public Optional<ProgramSource> probeProgram() {
    return CudaProbeProgram.on(device);
  }

  @Override
  public void bind() {
    primary.bind();
  }

  /** On the thread's stack of contexts, above whatever the caller has there. */
  @Override
  public void bindGuest() {
    if (Thread.currentThread().isVirtual()) {
      throw new ComputeException.WrongThread(
          "CUDA binds a context to a thread of the operating system, which a virtual thread may"
              + " change at any time: bind %s on a platform thread".formatted(device));
    }
    push();
  }

  /** Makes the context current here until {@link #unbind}. */
  void push() {
    primary.push();
  }

  @Override
  public void unbind() {
    primary.pop();
  }

  @Override
  public void settle() {
    near.confineThread();
  }

  /** What is kept for the next allocation counts as free: it goes back if another needs it. */
  @Override
  public Optional<Memory> memory() {
    return primary
        .memory()
        .map(seen -> new Memory(seen.freeBytes() + memory.keptBytes(), seen.totalBytes()));
  }

  @Override
  public int foreignStreams() {
    return nvml == null ? 0 : nvml.foreignStreams();
  }

  // ---- memory

  @Override
  public long allocate(long bytes) {
    return memory.allocate(bytes);
  }

  @Override
  public void free(long buffer) {
    memory.free(buffer);
  }

  @Override
  public Pinned pin(long bytes) {
    return memory.pin(bytes);
  }

  @Override
  public void unpin(Pinned pinned) {
    memory.unpin(pinned);
  }

  // ---- programs

  @Override
  public long build(ProgramSource source) {
    return programs.build(source);
  }

  @Override
  public void releaseProgram(long program) {
    programs.release(program);
  }

  @Override
  public long kernel(long program, String name) {
    return programs.kernel(program, name);
  }

  @Override
  public Optional<List<Parameter>> parameters(long kernel) {
    return programs.parameters(kernel);
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
      calls.check(
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
      long stream =
          calls.made(
              "cuStreamCreateWithPriority",
              out -> (int) cu.streamCreateWithPriority().invokeExact(out, NON_BLOCKING, level));
      memory.opened(stream);
      return stream;
    }
  }

  @Override
  public void closeStream(long stream) {
    memory.closing(stream);
    calls.check("cuStreamDestroy_v2", () -> (int) cu.streamDestroy().invokeExact(stream));
  }

  @Override
  public void synchronise(long stream) {
    calls.check("cuStreamSynchronize", () -> (int) cu.streamSynchronize().invokeExact(stream));
    calls.endedWell();
  }

  @Override
  public void upload(long stream, Copy copy) {
    long from = copy.from() + copy.fromOffset();
    long to = copy.to() + copy.toOffset();
    calls.check(
        "cuMemcpyHtoDAsync_v2",
        () -> (int) cu.memcpyHtoDAsync().invokeExact(to, from, copy.bytes(), stream));
  }

  @Override
  public void download(long stream, Copy copy) {
    long from = copy.from() + copy.fromOffset();
    long to = copy.to() + copy.toOffset();
    calls.check(
        "cuMemcpyDtoHAsync_v2",
        () -> (int) cu.memcpyDtoHAsync().invokeExact(to, from, copy.bytes(), stream));
  }

  @Override
  public void copy(long stream, Copy copy) {
    long from = copy.from() + copy.fromOffset();
    long to = copy.to() + copy.toOffset();
    calls.check(
        "cuMemcpyDtoDAsync_v2",
        () -> (int) cu.memcpyDtoDAsync().invokeExact(to, from, copy.bytes(), stream));
  }

  @Override
  public boolean copyAcross(long stream, ComputeDriver owner, Copy copy) {
    if (!(owner instanceof CudaDriver other) || !peers.reach(other)) {
      return false;
    }
    copyStraight(stream, other, copy);
    return true;
  }

  /** Copies from another device that this one reaches, see {@link CudaPeers}. */
  void copyStraight(long stream, CudaDriver other, Copy copy) {
    long from = copy.from() + copy.fromOffset();
    long to = copy.to() + copy.toOffset();
    calls.check(
        "cuMemcpyPeerAsync",
        () ->
            (int)
                cu.memcpyPeerAsync()
                    .invokeExact(to, context(), from, other.context(), copy.bytes(), stream));
  }

  @Override
  public void fill(long stream, Copy target, byte value) {
    long to = target.to() + target.toOffset();
    calls.check(
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
      calls.check(
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
        calls.made(
            "cuFuncGetAttribute",
            out -> (int) cu.funcGetAttribute().invokeExact(out, MAX_THREADS_PER_BLOCK, kernel));
  }

  // ---- events

  @Override
  public long mark(long stream) {
    long event =
        calls.made(
            "cuEventCreate",
            out -> (int) cu.eventCreate().invokeExact(out, EVENT_WAITS_WITHOUT_SPINNING));
    calls.check("cuEventRecord", () -> (int) cu.eventRecord().invokeExact(event, stream));
    return event;
  }

  @Override
  public void waitFor(long stream, long event) {
    calls.check(
        "cuStreamWaitEvent", () -> (int) cu.streamWaitEvent().invokeExact(stream, event, 0));
  }

  @Override
  public boolean isDone(long event) {
    return isOver("cuEventQuery", () -> (int) cu.eventQuery().invokeExact(event));
  }

  @Override
  public boolean isIdle(long stream) {
    return isOver("cuStreamQuery", () -> (int) cu.streamQuery().invokeExact(stream));
  }

  private boolean isOver(String function, Downcall.ToInt query) {
    int code = Downcall.number(query);
    if (code != CudaCodes.NOT_READY) {
      calls.check(function, () -> code);
    }
    return code != CudaCodes.NOT_READY;
  }

  @Override
  public void await(long event) {
    calls.check("cuEventSynchronize", () -> (int) cu.eventSynchronize().invokeExact(event));
    calls.endedWell();
  }

  @Override
  public long nanosBetween(long earlier, long later) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment millis = arena.allocate(C.FLOAT);
      calls.check(
          "cuEventElapsedTime",
          () -> (int) cu.eventElapsedTime().invokeExact(millis, earlier, later));
      return Math.round(millis.get(C.FLOAT, 0) * NANOS_PER_MILLI);
    }
  }

  @Override
  public void releaseEvent(long event) {
    calls.check("cuEventDestroy_v2", () -> (int) cu.eventDestroy().invokeExact(event));
  }

  @Override
  public void close() {
    try {
      Optional<DriverError> poison = calls.poison();
      if (poison.isPresent()) {
        resets.because(device, poison.get());
        primary.reset();
      } else {
        resets.forget(device);
        memory.close();
      }
    } finally {
      primary.release();
    }
  }
}
