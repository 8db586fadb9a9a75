package dev.fairlead.cuda;

import static dev.fairlead.nativecode.C.INT;
import static dev.fairlead.nativecode.C.LONG;
import static dev.fairlead.nativecode.C.POINTER;

import dev.fairlead.nativecode.Symbols;
import java.lang.invoke.MethodHandle;

/** The functions of NVML that are in use. Devices go in as numbers. */
record NvmlFunctions(
    MethodHandle init,
    MethodHandle errorString,
    MethodHandle count,
    MethodHandle handleByIndex,
    MethodHandle handleByUuid,
    MethodHandle uuid,
    MethodHandle name,
    MethodHandle memory,
    MethodHandle utilization,
    MethodHandle temperature,
    MethodHandle power,
    MethodHandle eccErrors,
    Processes processes,
    MethodHandle sessions) {

  /**
   * The function that lists computing processes, in the newest version that the driver has.
   *
   * @param records how large the records are that it writes
   */
  record Processes(MethodHandle list, NvmlRecords records) {
    private static final String NAME = "nvmlDeviceGetComputeRunningProcesses";

    static Processes of(Symbols nvml) {
      return nvml.optional(NAME + "_v3", INT, LONG, POINTER, POINTER)
          .map(third -> new Processes(third, NvmlRecords.PROCESSES_OF_EITHER_SIZE))
          .or(() ->
              nvml.optional(NAME + "_v2", INT, LONG, POINTER, POINTER)
                  .map(second -> new Processes(second, NvmlRecords.PROCESSES)))
          .orElseGet(() ->
              new Processes(
                  nvml.function(NAME, INT, LONG, POINTER, POINTER),
                  NvmlRecords.PROCESSES_AT_FIRST));
    }
  }

  static NvmlFunctions of(Symbols nvml) {
    return new NvmlFunctions(
        nvml.function("nvmlInit_v2", INT),
        nvml.function("nvmlErrorString", POINTER, INT),
        nvml.function("nvmlDeviceGetCount_v2", INT, POINTER),
        nvml.function("nvmlDeviceGetHandleByIndex_v2", INT, INT, POINTER),
        nvml.function("nvmlDeviceGetHandleByUUID", INT, POINTER, POINTER),
        nvml.function("nvmlDeviceGetUUID", INT, LONG, POINTER, INT),
        nvml.function("nvmlDeviceGetName", INT, LONG, POINTER, INT),
        nvml.function("nvmlDeviceGetMemoryInfo", INT, LONG, POINTER),
        nvml.function("nvmlDeviceGetUtilizationRates", INT, LONG, POINTER),
        nvml.function("nvmlDeviceGetTemperature", INT, LONG, INT, POINTER),
        nvml.function("nvmlDeviceGetPowerUsage", INT, LONG, POINTER),
        nvml.function("nvmlDeviceGetTotalEccErrors", INT, LONG, INT, INT, POINTER),
        Processes.of(nvml),
        nvml.function("nvmlDeviceGetEncoderSessions", INT, LONG, POINTER, POINTER));
  }
}
