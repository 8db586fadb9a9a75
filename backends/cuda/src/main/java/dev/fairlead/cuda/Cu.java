package dev.fairlead.cuda;

import static dev.fairlead.nativecode.C.INT;
import static dev.fairlead.nativecode.C.LONG;
import static dev.fairlead.nativecode.C.POINTER;
import static dev.fairlead.nativecode.C.SIZE;

import dev.fairlead.nativecode.Symbols;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The functions of the CUDA driver that are in use. Contexts, streams and the like go in and out as
 * numbers. Where a function has versions, the one that its header names today is taken, such as
 * {@code cuMemAlloc_v2}: the names without a number are those of 32-bit times.
 */
record Cu(
    MethodHandle getErrorName,
    MethodHandle deviceGetCount,
    MethodHandle deviceGet,
    MethodHandle deviceGetName,
    MethodHandle deviceGetUuid,
    MethodHandle deviceTotalMem,
    MethodHandle deviceGetAttribute,
    MethodHandle deviceGetPciBusId,
    MethodHandle deviceCanAccessPeer,
    MethodHandle primaryCtxSetFlags,
    MethodHandle primaryCtxRetain,
    MethodHandle primaryCtxRelease,
    MethodHandle primaryCtxReset,
    MethodHandle ctxSetCurrent,
    MethodHandle ctxPushCurrent,
    MethodHandle ctxPopCurrent,
    MethodHandle ctxGetStreamPriorityRange,
    MethodHandle ctxEnablePeerAccess,
    MethodHandle memGetInfo,
    MethodHandle memAlloc,
    MethodHandle memFree,
    MethodHandle memHostAlloc,
    MethodHandle memFreeHost,
    MethodHandle moduleLoadDataEx,
    MethodHandle moduleGetFunction,
    MethodHandle moduleUnload,
    MethodHandle funcGetAttribute,
    MethodHandle streamCreateWithPriority,
    MethodHandle streamDestroy,
    MethodHandle streamSynchronize,
    MethodHandle streamQuery,
    MethodHandle streamWaitEvent,
    MethodHandle memcpyHtoDAsync,
    MethodHandle memcpyDtoHAsync,
    MethodHandle memcpyDtoDAsync,
    MethodHandle memcpyPeerAsync,
    MethodHandle memsetD8Async,
    MethodHandle launchKernel,
    MethodHandle eventCreate,
    MethodHandle eventRecord,
    MethodHandle eventQuery,
    MethodHandle eventSynchronize,
    MethodHandle eventElapsedTime,
    MethodHandle eventDestroy) {

  /** What every driver has had since its first days, to ask it how old it is. */
  record Start(MethodHandle init, MethodHandle driverGetVersion) {
    static Start of(Symbols cuda) {
      return new Start(
          cuda.function("cuInit", INT, INT), cuda.function("cuDriverGetVersion", INT, POINTER));
    }
  }

  static Cu of(Symbols cuda) {
    return new Cu(
        cuda.function("cuGetErrorName", INT, INT, POINTER),
        cuda.function("cuDeviceGetCount", INT, POINTER),
        cuda.function("cuDeviceGet", INT, POINTER, INT),
        cuda.function("cuDeviceGetName", INT, POINTER, INT, INT),
        cuda.function("cuDeviceGetUuid_v2", INT, POINTER, INT),
        cuda.function("cuDeviceTotalMem_v2", INT, POINTER, INT),
        cuda.function("cuDeviceGetAttribute", INT, POINTER, INT, INT),
        cuda.function("cuDeviceGetPCIBusId", INT, POINTER, INT, INT),
        cuda.function("cuDeviceCanAccessPeer", INT, POINTER, INT, INT),
        cuda.function("cuDevicePrimaryCtxSetFlags_v2", INT, INT, INT),
        cuda.function("cuDevicePrimaryCtxRetain", INT, POINTER, INT),
        cuda.function("cuDevicePrimaryCtxRelease_v2", INT, INT),
        cuda.function("cuDevicePrimaryCtxReset_v2", INT, INT),
        cuda.function("cuCtxSetCurrent", INT, LONG),
        cuda.function("cuCtxPushCurrent_v2", INT, LONG),
        cuda.function("cuCtxPopCurrent_v2", INT, POINTER),
        cuda.function("cuCtxGetStreamPriorityRange", INT, POINTER, POINTER),
        cuda.function("cuCtxEnablePeerAccess", INT, LONG, INT),
        cuda.function("cuMemGetInfo_v2", INT, POINTER, POINTER),
        cuda.function("cuMemAlloc_v2", INT, POINTER, SIZE),
        cuda.function("cuMemFree_v2", INT, LONG),
        cuda.function("cuMemHostAlloc", INT, POINTER, SIZE, INT),
        cuda.function("cuMemFreeHost", INT, LONG),
        cuda.function("cuModuleLoadDataEx", INT, POINTER, POINTER, INT, POINTER, POINTER),
        cuda.function("cuModuleGetFunction", INT, POINTER, LONG, POINTER),
        cuda.function("cuModuleUnload", INT, LONG),
        cuda.function("cuFuncGetAttribute", INT, POINTER, INT, LONG),
        cuda.function("cuStreamCreateWithPriority", INT, POINTER, INT, INT),
        cuda.function("cuStreamDestroy_v2", INT, LONG),
        cuda.function("cuStreamSynchronize", INT, LONG),
        cuda.function("cuStreamQuery", INT, LONG),
        cuda.function("cuStreamWaitEvent", INT, LONG, LONG, INT),
        cuda.function("cuMemcpyHtoDAsync_v2", INT, LONG, LONG, SIZE, LONG),
        cuda.function("cuMemcpyDtoHAsync_v2", INT, LONG, LONG, SIZE, LONG),
        cuda.function("cuMemcpyDtoDAsync_v2", INT, LONG, LONG, SIZE, LONG),
        cuda.function("cuMemcpyPeerAsync", INT, LONG, LONG, LONG, LONG, SIZE, LONG),
        cuda.function("cuMemsetD8Async", INT, LONG, ValueLayout.JAVA_BYTE, SIZE, LONG),
        cuda.function(
            "cuLaunchKernel", INT, LONG, INT, INT, INT, INT, INT, INT, INT, LONG, POINTER, POINTER),
        cuda.function("cuEventCreate", INT, POINTER, INT),
        cuda.function("cuEventRecord", INT, LONG, LONG),
        cuda.function("cuEventQuery", INT, LONG),
        cuda.function("cuEventSynchronize", INT, LONG),
        cuda.function("cuEventElapsedTime", INT, POINTER, LONG, LONG),
        cuda.function("cuEventDestroy_v2", INT, LONG));
  }
}
