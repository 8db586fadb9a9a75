package dev.fairlead.opencl;

import dev.fairlead.compute.driver.DriverCodes;
import dev.fairlead.device.Fault;
import java.util.Map;

/** The return codes of OpenCL: their names, and whose fault each is. */
final class ClCodes {
  static final int OUT_OF_RESOURCES = -5;
  static final int BUILD_PROGRAM_FAILURE = -11;
  static final int EVENT_FAILED = -14;
  static final int KERNEL_ARG_INFO_NOT_AVAILABLE = -19;
  static final int INVALID_BINARY = -42;
  static final int INVALID_BUILD_OPTIONS = -43;
  static final int INVALID_KERNEL_NAME = -46;
  static final int NO_PLATFORM = -1001;

  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(-1, "CL_DEVICE_NOT_FOUND"),
          Map.entry(-2, "CL_DEVICE_NOT_AVAILABLE"),
          Map.entry(-3, "CL_COMPILER_NOT_AVAILABLE"),
          Map.entry(-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE"),
          Map.entry(OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES"),
          Map.entry(-6, "CL_OUT_OF_HOST_MEMORY"),
          Map.entry(-7, "CL_PROFILING_INFO_NOT_AVAILABLE"),
          Map.entry(-8, "CL_MEM_COPY_OVERLAP"),
          Map.entry(BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE"),
          Map.entry(-12, "CL_MAP_FAILURE"),
          Map.entry(-13, "CL_MISALIGNED_SUB_BUFFER_OFFSET"),
          Map.entry(EVENT_FAILED, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"),
          Map.entry(-15, "CL_COMPILE_PROGRAM_FAILURE"),
          Map.entry(-16, "CL_LINKER_NOT_AVAILABLE"),
          Map.entry(-17, "CL_LINK_PROGRAM_FAILURE"),
          Map.entry(-18, "CL_DEVICE_PARTITION_FAILED"),
          Map.entry(KERNEL_ARG_INFO_NOT_AVAILABLE, "CL_KERNEL_ARG_INFO_NOT_AVAILABLE"),
          Map.entry(-30, "CL_INVALID_VALUE"),
          Map.entry(-31, "CL_INVALID_DEVICE_TYPE"),
          Map.entry(-32, "CL_INVALID_PLATFORM"),
          Map.entry(-33, "CL_INVALID_DEVICE"),
          Map.entry(-34, "CL_INVALID_CONTEXT"),
          Map.entry(-35, "CL_INVALID_QUEUE_PROPERTIES"),
          Map.entry(-36, "CL_INVALID_COMMAND_QUEUE"),
          Map.entry(-37, "CL_INVALID_HOST_PTR"),
          Map.entry(-38, "CL_INVALID_MEM_OBJECT"),
          Map.entry(INVALID_BINARY, "CL_INVALID_BINARY"),
          Map.entry(INVALID_BUILD_OPTIONS, "CL_INVALID_BUILD_OPTIONS"),
          Map.entry(-44, "CL_INVALID_PROGRAM"),
          Map.entry(-45, "CL_INVALID_PROGRAM_EXECUTABLE"),
          Map.entry(INVALID_KERNEL_NAME, "CL_INVALID_KERNEL_NAME"),
          Map.entry(-47, "CL_INVALID_KERNEL_DEFINITION"),
          Map.entry(-48, "CL_INVALID_KERNEL"),
          Map.entry(-49, "CL_INVALID_ARG_INDEX"),
          Map.entry(-50, "CL_INVALID_ARG_VALUE"),
          Map.entry(-51, "CL_INVALID_ARG_SIZE"),
          Map.entry(-52, "CL_INVALID_KERNEL_ARGS"),
          Map.entry(-53, "CL_INVALID_WORK_DIMENSION"),
          Map.entry(-54, "CL_INVALID_WORK_GROUP_SIZE"),
          Map.entry(-55, "CL_INVALID_WORK_ITEM_SIZE"),
          Map.entry(-56, "CL_INVALID_GLOBAL_OFFSET"),
          Map.entry(-57, "CL_INVALID_EVENT_WAIT_LIST"),
          Map.entry(-58, "CL_INVALID_EVENT"),
          Map.entry(-59, "CL_INVALID_OPERATION"),
          Map.entry(-61, "CL_INVALID_BUFFER_SIZE"),
          Map.entry(-63, "CL_INVALID_GLOBAL_WORK_SIZE"),
          Map.entry(-64, "CL_INVALID_PROPERTY"),
          Map.entry(-67, "CL_INVALID_LINKER_OPTIONS"),
          Map.entry(-68, "CL_INVALID_DEVICE_PARTITION_COUNT"),
          Map.entry(-69, "CL_INVALID_PIPE_SIZE"),
          Map.entry(-70, "CL_INVALID_DEVICE_QUEUE"),
          Map.entry(NO_PLATFORM, "CL_PLATFORM_NOT_FOUND_KHR"),
          Map.entry(-9999, "illegal access in a kernel, as NVIDIA's driver says it"));

  /** Of calls that ask for memory, where resources mean just that. */
  static final DriverCodes ALLOCATIONS =
      new DriverCodes("OpenCL", ClCodes::name, ClCodes::faultOfAllocation);

  /**
   * Of other calls that ask for something. Resources may be registers or local memory that a kernel
   * wants, or what a driver says after a kernel went astray: not memory that others may yet free.
   */
  static final DriverCodes CALLS = new DriverCodes("OpenCL", ClCodes::name, ClCodes::faultOfCall);

  /** Of calls that tell how commands have ended, where resources mean more than memory. */
  static final DriverCodes ENDS = new DriverCodes("OpenCL", ClCodes::name, ClCodes::faultOfEnd);

  private ClCodes() {}

  static String name(int code) {
    return NAMES.getOrDefault(code, "an unknown error");
  }

  private static Fault faultOfAllocation(int code) {
    return code == OUT_OF_RESOURCES ? Fault.OUT_OF_MEMORY : faultOfCall(code);
  }

  private static Fault faultOfCall(int code) {
    return switch (code) {
      case -4, -6, -61 -> Fault.OUT_OF_MEMORY;
      case -2 -> Fault.LOST;
      case EVENT_FAILED, -34, -36, -9999 -> Fault.CONTEXT;
      default -> code <= -30 && code >= -72 ? Fault.WORK : Fault.DEVICE;
    };
  }

  private static Fault faultOfEnd(int code) {
    return code == OUT_OF_RESOURCES ? Fault.CONTEXT : faultOfCall(code);
  }
}
