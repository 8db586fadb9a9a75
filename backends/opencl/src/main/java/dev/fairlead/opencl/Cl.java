package dev.fairlead.opencl;

import static dev.fairlead.nativecode.C.INT;
import static dev.fairlead.nativecode.C.LONG;
import static dev.fairlead.nativecode.C.POINTER;
import static dev.fairlead.nativecode.C.SIZE;

import dev.fairlead.nativecode.Binding;
import dev.fairlead.nativecode.Symbols;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;

/**
 * The functions of OpenCL 1.2 that are in use, and what newer versions have besides. Objects of
 * OpenCL go in and out as numbers.
 */
record Cl(
    MethodHandle getPlatformIds,
    MethodHandle getPlatformInfo,
    MethodHandle getDeviceIds,
    MethodHandle getDeviceInfo,
    MethodHandle createSubDevices,
    MethodHandle releaseDevice,
    MethodHandle createContext,
    MethodHandle releaseContext,
    MethodHandle createCommandQueue,
    Optional<MethodHandle> createCommandQueueWithProperties,
    MethodHandle releaseCommandQueue,
    MethodHandle flush,
    MethodHandle finish,
    MethodHandle createBuffer,
    MethodHandle releaseMemObject,
    MethodHandle enqueueMapBuffer,
    MethodHandle enqueueUnmapMemObject,
    MethodHandle enqueueReadBuffer,
    MethodHandle enqueueWriteBuffer,
    MethodHandle enqueueCopyBuffer,
    MethodHandle enqueueFillBuffer,
    MethodHandle createProgramWithSource,
    MethodHandle buildProgram,
    MethodHandle getProgramBuildInfo,
    MethodHandle releaseProgram,
    MethodHandle createKernel,
    MethodHandle getKernelInfo,
    MethodHandle getKernelArgInfo,
    MethodHandle setKernelArg,
    MethodHandle releaseKernel,
    MethodHandle enqueueNdRangeKernel,
    MethodHandle enqueueMarker,
    MethodHandle enqueueBarrier,
    MethodHandle waitForEvents,
    MethodHandle getEventInfo,
    MethodHandle getEventProfilingInfo,
    MethodHandle releaseEvent) {
  /** A system property that names another loader of drivers than that of the system. */
  static final String LIBRARY = "fairlead.opencl.library";

  private static final List<String> NAMES = List.of("libOpenCL.so.1", "libOpenCL.so");
  private static final MemoryLayout[] INFO = {LONG, INT, SIZE, POINTER, POINTER};
  private static final MemoryLayout[] EVENTS = {LONG, INT, POINTER, POINTER};

  /** Loaded by the first who asks, with the drivers that are registered then. */
  private static final class Library {
    static final Binding<Cl> BINDING = Binding.of(names(), Cl::of);
  }

  private static List<String> names() {
    String named = System.getProperty(LIBRARY, "");
    return named.isEmpty() ? NAMES : List.of(named);
  }

  static Binding<Cl> binding() {
    return Library.BINDING;
  }

  private static Cl of(Symbols cl) {
    return new Cl(
        cl.function("clGetPlatformIDs", INT, INT, POINTER, POINTER),
        cl.function("clGetPlatformInfo", INT, INFO),
        cl.function("clGetDeviceIDs", INT, LONG, LONG, INT, POINTER, POINTER),
        cl.function("clGetDeviceInfo", INT, INFO),
        cl.function("clCreateSubDevices", INT, LONG, POINTER, INT, POINTER, POINTER),
        cl.function("clReleaseDevice", INT, LONG),
        cl.function("clCreateContext", LONG, POINTER, INT, POINTER, POINTER, POINTER, POINTER),
        cl.function("clReleaseContext", INT, LONG),
        cl.function("clCreateCommandQueue", LONG, LONG, LONG, LONG, POINTER),
        cl.optional("clCreateCommandQueueWithProperties", LONG, LONG, LONG, POINTER, POINTER),
        cl.function("clReleaseCommandQueue", INT, LONG),
        cl.function("clFlush", INT, LONG),
        cl.function("clFinish", INT, LONG),
        cl.function("clCreateBuffer", LONG, LONG, LONG, SIZE, POINTER, POINTER),
        cl.function("clReleaseMemObject", INT, LONG),
        cl.function(
            "clEnqueueMapBuffer",
            LONG,
            LONG,
            LONG,
            INT,
            LONG,
            SIZE,
            SIZE,
            INT,
            POINTER,
            POINTER,
            POINTER),
        cl.function("clEnqueueUnmapMemObject", INT, LONG, LONG, LONG, INT, POINTER, POINTER),
        cl.function(
            "clEnqueueReadBuffer", INT, LONG, LONG, INT, SIZE, SIZE, LONG, INT, POINTER, POINTER),
        cl.function(
            "clEnqueueWriteBuffer", INT, LONG, LONG, INT, SIZE, SIZE, LONG, INT, POINTER, POINTER),
        cl.function(
            "clEnqueueCopyBuffer", INT, LONG, LONG, LONG, SIZE, SIZE, SIZE, INT, POINTER, POINTER),
        cl.function(
            "clEnqueueFillBuffer",
            INT,
            LONG,
            LONG,
            POINTER,
            SIZE,
            SIZE,
            SIZE,
            INT,
            POINTER,
            POINTER),
        cl.function("clCreateProgramWithSource", LONG, LONG, INT, POINTER, POINTER, POINTER),
        cl.function("clBuildProgram", INT, LONG, INT, POINTER, POINTER, POINTER, POINTER),
        cl.function("clGetProgramBuildInfo", INT, LONG, LONG, INT, SIZE, POINTER, POINTER),
        cl.function("clReleaseProgram", INT, LONG),
        cl.function("clCreateKernel", LONG, LONG, POINTER, POINTER),
        cl.function("clGetKernelInfo", INT, INFO),
        cl.function("clGetKernelArgInfo", INT, LONG, INT, INT, SIZE, POINTER, POINTER),
        cl.function("clSetKernelArg", INT, LONG, INT, SIZE, POINTER),
        cl.function("clReleaseKernel", INT, LONG),
        cl.function(
            "clEnqueueNDRangeKernel",
            INT,
            LONG,
            LONG,
            INT,
            POINTER,
            POINTER,
            POINTER,
            INT,
            POINTER,
            POINTER),
        cl.function("clEnqueueMarkerWithWaitList", INT, EVENTS),
        cl.function("clEnqueueBarrierWithWaitList", INT, EVENTS),
        cl.function("clWaitForEvents", INT, INT, POINTER),
        cl.function("clGetEventInfo", INT, INFO),
        cl.function("clGetEventProfilingInfo", INT, INFO),
        cl.function("clReleaseEvent", INT, LONG));
  }
}
