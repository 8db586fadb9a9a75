package dev.fairlead.opencl;

import dev.fairlead.compute.driver.ComputeDriver;
import dev.fairlead.compute.driver.Grid;
import dev.fairlead.compute.driver.NativeHandles;
import dev.fairlead.compute.driver.PackedArguments;
import dev.fairlead.compute.driver.Parameter;
import dev.fairlead.compute.driver.ProgramSource;
import dev.fairlead.nativecode.C;
import dev.fairlead.nativecode.Downcall;
import dev.fairlead.policy.Priority;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An OpenCL device with a context of its own. OpenCL knows no current context: any thread may call.
 */
final class ClDriver implements ComputeDriver {
  private static final long MEM_READ_WRITE = 1;
  private static final long MEM_ALLOC_HOST_PTR = 1 << 4;
  private static final long MAP_READ_WRITE = 3;
  private static final int EVENT_EXECUTION_STATUS = 0x11D3;
  private static final int PROFILING_COMMAND_END = 0x1283;
  private static final int COMPLETE = 0;
  private static final int BLOCKING = 1;
  private static final int NOT_BLOCKING = 0;
  private static final MemorySegment NONE = MemorySegment.NULL;

  /**
   * What is opened.
   *
   * @param divided whether the device is a part that was made for this, and goes with it
   */
  record Target(long platform, long device, boolean divided) {}

  private final Cl cl;
  private final Target target;
  private final long context;
  private final ClKernels kernels;
  private final ClQueues queues;

  /** Maps and unmaps host memory; commands of the user have streams of their own. */
  private final long mapping;

  private ClDriver(Cl cl, Target target, long context) {
    this.cl = cl;
    this.target = target;
    this.context = context;
    this.kernels = new ClKernels(cl, context, target.device);
    this.queues =
        new ClQueues(
            new ClQueues.Makers(cl.createCommandQueue(), cl.createCommandQueueWithProperties()),
            context,
            target.device,
            new ClDevices(cl).extensions(target.device));
    this.mapping = openStream(Priority.NORMAL);
  }

  static ClDriver open(Cl cl, Target target) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment code = arena.allocate(C.INT);
      MemorySegment devices = arena.allocateFrom(C.LONG, target.device);
      long context =
          Downcall.handle(
              () -> (long) cl.createContext().invokeExact(NONE, 1, devices, NONE, NONE, code));
      ClCodes.CALLS.check("clCreateContext", code.get(C.INT, 0));
      return new ClDriver(cl, target, context);
    }
  }

  private static void check(String function, Downcall.ToInt call) {
    ClCodes.CALLS.check(function, Downcall.number(call));
  }

  @Override
  public NativeHandles handles() {
    return new NativeHandles("OpenCL", target.platform, target.device, context);
  }

  @Override
  public Set<ProgramSource.Language> languages() {
    return Set.of(ProgramSource.Language.OPENCL_C);
  }

  @Override
  public void bind() {}

  /** OpenCL does not say how much memory is free. */
  @Override
  public Optional<Memory> memory() {
    return Optional.empty();
  }

  @Override
  public long allocate(long bytes) {
    return buffer(MEM_READ_WRITE, bytes);
  }

  private long buffer(long flags, long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment code = arena.allocate(C.INT);
      long buffer =
          Downcall.handle(
              () -> (long) cl.createBuffer().invokeExact(context, flags, bytes, NONE, code));
      ClCodes.ALLOCATIONS.check("clCreateBuffer", code.get(C.INT, 0));
      return buffer;
    }
  }

  @Override
  public void free(long buffer) {
    check("clReleaseMemObject", () -> (int) cl.releaseMemObject().invokeExact(buffer));
  }

  @Override
  public Pinned pin(long bytes) {
    long buffer = buffer(MEM_READ_WRITE | MEM_ALLOC_HOST_PTR, bytes);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment code = arena.allocate(C.INT);
      long address =
          Downcall.handle(() ->
              (long)
                  cl.enqueueMapBuffer()
                      .invokeExact(
                          mapping,
                          buffer,
                          BLOCKING,
                          MAP_READ_WRITE,
                          0L,
                          bytes,
                          0,
                          NONE,
                          NONE,
                          code));
      if (code.get(C.INT, 0) != 0) {
        free(buffer);
      }
      ClCodes.ALLOCATIONS.check("clEnqueueMapBuffer", code.get(C.INT, 0));
      return new Pinned(buffer, address);
    }
  }

  @Override
  public void unpin(Pinned memory) {
    check(
        "clEnqueueUnmapMemObject",
        () ->
            (int)
                cl.enqueueUnmapMemObject()
                    .invokeExact(mapping, memory.handle(), memory.address(), 0, NONE, NONE));
    synchronise(mapping);
    free(memory.handle());
  }

  @Override
  public long build(ProgramSource source) {
    return kernels.build(source);
  }

  @Override
  public void releaseProgram(long program) {
    kernels.release(program);
  }

  @Override
  public long kernel(long program, String name) {
    return kernels.kernel(program, name);
  }

  @Override
  public Optional<List<Parameter>> parameters(long kernel) {
    return kernels.parameters(kernel);
  }

  @Override
  public void releaseKernel(long kernel) {
    check("clReleaseKernel", () -> (int) cl.releaseKernel().invokeExact(kernel));
  }

  @Override
  public long openStream(Priority priority) {
    return queues.open(priority);
  }

  @Override
  public void closeStream(long stream) {
    check("clReleaseCommandQueue", () -> (int) cl.releaseCommandQueue().invokeExact(stream));
  }

  @Override
  public void synchronise(long stream) {
    int code = Downcall.number(() -> (int) cl.finish().invokeExact(stream));
    ClCodes.ENDS.check("clFinish", code);
  }

  @Override
  public void upload(long stream, Copy copy) {
    check(
        "clEnqueueWriteBuffer",
        () ->
            (int)
                cl.enqueueWriteBuffer()
                    .invokeExact(
                        stream,
                        copy.to(),
                        NOT_BLOCKING,
                        copy.toOffset(),
                        copy.bytes(),
                        copy.from() + copy.fromOffset(),
                        0,
                        NONE,
                        NONE));
  }

  @Override
  public void download(long stream, Copy copy) {
    check(
        "clEnqueueReadBuffer",
        () ->
            (int)
                cl.enqueueReadBuffer()
                    .invokeExact(
                        stream,
                        copy.from(),
                        NOT_BLOCKING,
                        copy.fromOffset(),
                        copy.bytes(),
                        copy.to() + copy.toOffset(),
                        0,
                        NONE,
                        NONE));
  }

  @Override
  public void copy(long stream, Copy copy) {
    check(
        "clEnqueueCopyBuffer",
        () ->
            (int)
                cl.enqueueCopyBuffer()
                    .invokeExact(
                        stream,
                        copy.from(),
                        copy.to(),
                        copy.fromOffset(),
                        copy.toOffset(),
                        copy.bytes(),
                        0,
                        NONE,
                        NONE));
  }

  @Override
  public void fill(long stream, Copy target, byte value) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment pattern = arena.allocateFrom(ValueLayout.JAVA_BYTE, value);
      check(
          "clEnqueueFillBuffer",
          () ->
              (int)
                  cl.enqueueFillBuffer()
                      .invokeExact(
                          stream,
                          target.to(),
                          pattern,
                          1L,
                          target.toOffset(),
                          target.bytes(),
                          0,
                          NONE,
                          NONE));
    }
  }

  @Override
  public void launch(long stream, long kernel, Grid grid, PackedArguments arguments) {
    for (int index = 0; index < arguments.count(); index++) {
      int number = index;
      check(
          "clSetKernelArg",
          () ->
              (int)
                  cl.setKernelArg()
                      .invokeExact(
                          kernel, number, arguments.size(number), arguments.pointer(number)));
    }
    Grid.Extent items = grid.items();
    int dimensions = items.z() > 1 ? 3 : items.y() > 1 ? 2 : 1;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment global = extent(arena, items);
      MemorySegment local = grid.leavesGroupToDriver() ? NONE : extent(arena, grid.group());
      check(
          "clEnqueueNDRangeKernel",
          () ->
              (int)
                  cl.enqueueNdRangeKernel()
                      .invokeExact(stream, kernel, dimensions, NONE, global, local, 0, NONE, NONE));
    }
  }

  private static MemorySegment extent(Arena arena, Grid.Extent extent) {
    return arena.allocateFrom(C.SIZE, extent.x(), extent.y(), extent.z());
  }

  @Override
  public long mark(long stream) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment event = arena.allocate(C.LONG);
      check(
          "clEnqueueMarkerWithWaitList",
          () -> (int) cl.enqueueMarker().invokeExact(stream, 0, NONE, event));
      check("clFlush", () -> (int) cl.flush().invokeExact(stream));
      return event.get(C.LONG, 0);
    }
  }

  @Override
  public void waitFor(long stream, long event) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment events = arena.allocateFrom(C.LONG, event);
      check(
          "clEnqueueBarrierWithWaitList",
          () -> (int) cl.enqueueBarrier().invokeExact(stream, 1, events, NONE));
    }
  }

  @Override
  public boolean isDone(long event) {
    int status =
        ClInfo.small(
            "clGetEventInfo",
            (size, answer, length) ->
                (int)
                    cl.getEventInfo()
                        .invokeExact(event, EVENT_EXECUTION_STATUS, size, answer, length));
    if (status < 0) {
      throw ClCodes.ENDS.failure("a command", status);
    }
    return status == COMPLETE;
  }

  @Override
  public void await(long event) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment events = arena.allocateFrom(C.LONG, event);
      int code = Downcall.number(() -> (int) cl.waitForEvents().invokeExact(1, events));
      if (code == ClCodes.EVENT_FAILED) {
        isDone(event); // throws what went wrong
      }
      ClCodes.ENDS.check("clWaitForEvents", code);
    }
  }

  @Override
  public long nanosBetween(long earlier, long later) {
    return end(later) - end(earlier);
  }

  private long end(long event) {
    return ClInfo.number(
        "clGetEventProfilingInfo",
        (size, answer, length) ->
            (int)
                cl.getEventProfilingInfo()
                    .invokeExact(event, PROFILING_COMMAND_END, size, answer, length));
  }

  @Override
  public void releaseEvent(long event) {
    check("clReleaseEvent", () -> (int) cl.releaseEvent().invokeExact(event));
  }

  @Override
  public void close() {
    closeStream(mapping);
    check("clReleaseContext", () -> (int) cl.releaseContext().invokeExact(context));
    if (target.divided) {
      check("clReleaseDevice", () -> (int) cl.releaseDevice().invokeExact(target.device));
    }
  }
}
