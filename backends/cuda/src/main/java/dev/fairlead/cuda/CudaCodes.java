package dev.fairlead.cuda;

import dev.fairlead.compute.driver.DriverCodes;
import dev.fairlead.device.Fault;
import dev.fairlead.nativecode.C;
import dev.fairlead.nativecode.Downcall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The return codes of the CUDA driver: their names, as the driver has them, and whose fault each
 * is.
 *
 * <p>Codes after which the driver answers every call of the context with the same code again are
 * faults of the context, whoever caused them; so is the unknown error, which is what a device that
 * has fallen off the bus looks like at first. That it is lost is what NVML says, see {@link Nvml}.
 */
final class CudaCodes {
  static final String DRIVER = "CUDA";
  static final int OUT_OF_MEMORY = 2;
  static final int DEVICE_UNAVAILABLE = 46;
  static final int NO_DEVICE = 100;
  static final int INVALID_DEVICE = 101;
  static final int INVALID_IMAGE = 200;
  static final int NO_BINARY_FOR_GPU = 209;
  static final int PEER_ACCESS_UNSUPPORTED = 217;
  static final int INVALID_PTX = 218;
  static final int UNSUPPORTED_PTX_VERSION = 222;
  static final int NOT_FOUND = 500;
  static final int NOT_READY = 600;
  static final int PEER_ACCESS_ALREADY_ENABLED = 704;
  static final int PRIMARY_CONTEXT_ACTIVE = 708;
  static final int TOO_MANY_PEERS = 711;
  static final int MPS_MAX_CLIENTS_REACHED = 808;
  static final int MPS_MAX_CONNECTIONS_REACHED = 809;

  private static final int LONGEST_NAME = 256;

  private CudaCodes() {}

  static DriverCodes of(Cu cu) {
    return new DriverCodes(DRIVER, code -> name(cu, code), CudaCodes::fault);
  }

  private static String name(Cu cu, int code) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocate(C.POINTER);
      int answer = Downcall.number(() -> (int) cu.getErrorName().invokeExact(code, name));
      return answer == 0 ? C.textAt(name.get(C.POINTER, 0), LONGEST_NAME) : "an unknown error";
    }
  }

  static Fault fault(int code) {
    return switch (code) {
      case OUT_OF_MEMORY -> Fault.OUT_OF_MEMORY;
      // Another process has the device for itself; MPS serves as many as it can.
      case DEVICE_UNAVAILABLE, MPS_MAX_CLIENTS_REACHED, MPS_MAX_CONNECTIONS_REACHED -> Fault.BUSY;
      case NO_DEVICE, INVALID_DEVICE -> Fault.LOST;
      // Uncorrectable memory and links; the context is gone; kernels that went astray.
      case 4, 201, 214, 220, 226 -> Fault.CONTEXT;
      case 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721 -> Fault.CONTEXT;
      case 810, 911, 999 -> Fault.CONTEXT;
      // Something was asked for that the driver, the device or the program does not have.
      case 1, INVALID_IMAGE, NO_BINARY_FOR_GPU, INVALID_PTX, UNSUPPORTED_PTX_VERSION -> Fault.WORK;
      case PEER_ACCESS_UNSUPPORTED, PEER_ACCESS_ALREADY_ENABLED, 705, TOO_MANY_PEERS -> Fault.WORK;
      case 300, 400, 401, NOT_FOUND, NOT_READY, 701, 720, 800, 801 -> Fault.WORK;
      default -> Fault.DEVICE;
    };
  }

  /** Whether a code says that a program cannot be used as it is. */
  static boolean isBuildFailure(int code) {
    return code == INVALID_IMAGE
        || code == NO_BINARY_FOR_GPU
        || code == INVALID_PTX
        || code == UNSUPPORTED_PTX_VERSION;
  }
}
