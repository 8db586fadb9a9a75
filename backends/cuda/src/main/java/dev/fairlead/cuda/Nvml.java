package dev.fairlead.cuda;

import static dev.fairlead.nativecode.C.INT;
import static dev.fairlead.nativecode.C.LONG;
import static dev.fairlead.nativecode.C.POINTER;

import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.compute.driver.DriverCodes;
import dev.fairlead.cuda.NvmlReading.Gauge;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Fault;
import dev.fairlead.nativecode.Binding;
import dev.fairlead.nativecode.C;
import dev.fairlead.nativecode.Downcall;
import dev.fairlead.nativecode.Symbols;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * NVML, which knows the state of devices without a context on them, and those that the environment
 * hides from CUDA. It may be called on any thread. Once started it is never shut down: others in
 * the process may use it.
 *
 * <p>All that it tells is optional. What a device does not tell is left out, whatever the reason:
 * drivers differ in the code with which they refuse a gauge of a slice, and a gauge that cannot be
 * read is no fault of the device. The one answer that counts is that a device is lost.
 */
final class Nvml {
  private static final int SUCCESS = 0;
  private static final int INSUFFICIENT_SIZE = 7;
  private static final int LOST = 15;
  private static final int LONGEST_TEXT = 256;
  private static final int UNCORRECTED = 1;
  private static final int SINCE_START = 0;
  private static final int CORE_SENSOR = 0;
  private static final long LOW_HALF = 0xFFFFFFFFL;
  private static final String UNSEEN = "; what others do on the devices is not seen";

  /** {@code nvmlProcessInfo_t} and {@code nvmlEncoderSessionInfo_t}, and where they say a pid. */
  private static final int PROCESS_BYTES = 24;

  private static final int SESSION_BYTES = 32;
  private static final int SESSION_PID = 4;

  private record Functions(
      MethodHandle init,
      MethodHandle errorString,
      MethodHandle count,
      MethodHandle handleByIndex,
      MethodHandle handleByUuid,
      MethodHandle uuid,
      MethodHandle name,
      MethodHandle utilization,
      MethodHandle temperature,
      MethodHandle power,
      MethodHandle eccErrors,
      MethodHandle processes,
      MethodHandle sessions) {
    static Functions of(Symbols nvml) {
      return new Functions(
          nvml.function("nvmlInit_v2", INT),
          nvml.function("nvmlErrorString", POINTER, INT),
          nvml.function("nvmlDeviceGetCount_v2", INT, POINTER),
          nvml.function("nvmlDeviceGetHandleByIndex_v2", INT, INT, POINTER),
          nvml.function("nvmlDeviceGetHandleByUUID", INT, POINTER, POINTER),
          nvml.function("nvmlDeviceGetUUID", INT, LONG, POINTER, INT),
          nvml.function("nvmlDeviceGetName", INT, LONG, POINTER, INT),
          nvml.function("nvmlDeviceGetUtilizationRates", INT, LONG, POINTER),
          nvml.function("nvmlDeviceGetTemperature", INT, LONG, INT, POINTER),
          nvml.function("nvmlDeviceGetPowerUsage", INT, LONG, POINTER),
          nvml.function("nvmlDeviceGetTotalEccErrors", INT, LONG, INT, INT, POINTER),
          processes(nvml),
          nvml.function("nvmlDeviceGetEncoderSessions", INT, LONG, POINTER, POINTER));
    }

    /**
     * The third version came after the oldest driver; it and the second fill the same structure.
     */
    private static MethodHandle processes(Symbols nvml) {
      return nvml.optional("nvmlDeviceGetComputeRunningProcesses_v3", INT, LONG, POINTER, POINTER)
          .orElseGet(() ->
              nvml.function(
                  "nvmlDeviceGetComputeRunningProcesses_v2", INT, LONG, POINTER, POINTER));
    }
  }

  /** A device that NVML knows, whether or not CUDA shows it. */
  record Listed(String uuid, String name) {}

  private interface Question {
    int ask(MemorySegment answer) throws Throwable;
  }

  private interface Listing {
    int ask(MemorySegment count, MemorySegment list) throws Throwable;
  }

  private final Functions functions;
  private final DriverCodes codes;

  private Nvml(Functions functions) {
    this.functions = functions;
    this.codes = new DriverCodes("NVML", this::errorString, Nvml::fault);
  }

  /**
   * NVML, started; empty where there is none, since all that it tells is optional.
   *
   * @param problems hears of one that is there and does not work
   */
  static Optional<Nvml> on(CudaHost host, List<Discovery.Problem> problems) {
    switch (Binding.of(host.nvmlLibraries(), Functions::of)) {
      case Binding.Bound<Functions>(String library, Functions functions) -> {
        Nvml nvml = new Nvml(functions);
        int code = Downcall.number(() -> (int) functions.init.invokeExact());
        if (code == SUCCESS) {
          return Optional.of(nvml);
        }
        problems.add(
            new Discovery.Problem(
                library, nvml.codes.failure("nvmlInit_v2", code).getMessage() + UNSEEN));
      }
      case Binding.Unbound<Functions> unbound -> {
        if (!host.isMissing(host.nvmlLibraries(), unbound.reason())) {
          problems.add(new Discovery.Problem("NVML", unbound.reason() + UNSEEN));
        }
      }
    }
    return Optional.empty();
  }

  private String errorString(int code) {
    return C.textAt(
        Downcall.pointer(() -> (MemorySegment) functions.errorString.invokeExact(code)),
        LONGEST_TEXT);
  }

  private static Fault fault(int code) {
    return code == LOST ? Fault.LOST : Fault.DEVICE;
  }

  boolean knows(String uuid) {
    return handle(uuid).isPresent();
  }

  /**
   * All devices of the machine, slices not told apart.
   *
   * @param problems hears of those that do not even tell who they are
   */
  List<Listed> all(List<Discovery.Problem> problems) {
    List<Listed> all = new ArrayList<>();
    long count =
        optional("nvmlDeviceGetCount_v2", out -> (int) functions.count.invokeExact(out)).orElse(0);
    for (int index = 0; index < count; index++) {
      try {
        all.add(listed(index));
      } catch (ComputeException silent) {
        problems.add(
            new Discovery.Problem(
                "device " + index + " of NVML", String.valueOf(silent.getMessage())));
      }
    }
    return all;
  }

  private Listed listed(int index) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment answer = arena.allocate(C.LONG);
      codes.check(
          "nvmlDeviceGetHandleByIndex_v2",
          Downcall.number(() -> (int) functions.handleByIndex.invokeExact(index, answer)));
      long device = answer.get(C.LONG, 0);
      return new Listed(
          text(
              "nvmlDeviceGetUUID",
              out -> (int) functions.uuid.invokeExact(device, out, LONGEST_TEXT)),
          text(
              "nvmlDeviceGetName",
              out -> (int) functions.name.invokeExact(device, out, LONGEST_TEXT)));
    }
  }

  /**
   * What a device says of itself now; empty if NVML does not know it.
   *
   * @throws dev.fairlead.device.DeviceException with {@link Fault#LOST} if it is gone
   */
  Optional<NvmlReading> read(String uuid) {
    OptionalLong handle = handle(uuid);
    return handle.isPresent() ? Optional.of(read(handle.getAsLong())) : Optional.empty();
  }

  private NvmlReading read(long device) {
    Map<Gauge, Long> gauges = new EnumMap<>(Gauge.class);
    // Two numbers of 32 bits: how busy the cores are, and the memory.
    optional(
            "nvmlDeviceGetUtilizationRates",
            out -> (int) functions.utilization.invokeExact(device, out))
        .ifPresent(both -> gauges.put(Gauge.UTILIZATION, both & LOW_HALF));
    optional(
            "nvmlDeviceGetTemperature",
            out -> (int) functions.temperature.invokeExact(device, CORE_SENSOR, out))
        .ifPresent(value -> gauges.put(Gauge.TEMPERATURE, value));
    optional("nvmlDeviceGetPowerUsage", out -> (int) functions.power.invokeExact(device, out))
        .ifPresent(value -> gauges.put(Gauge.POWER, value));
    optional(
            "nvmlDeviceGetTotalEccErrors",
            out -> (int) functions.eccErrors.invokeExact(device, UNCORRECTED, SINCE_START, out))
        .ifPresent(value -> gauges.put(Gauge.ECC_ERRORS, value));
    return new NvmlReading(
        gauges,
        pids(
            "nvmlDeviceGetComputeRunningProcesses_v3",
            PROCESS_BYTES,
            0,
            (count, list) -> (int) functions.processes.invokeExact(device, count, list)),
        pids(
            "nvmlDeviceGetEncoderSessions",
            SESSION_BYTES,
            SESSION_PID,
            (count, list) -> (int) functions.sessions.invokeExact(device, count, list)));
  }

  private OptionalLong handle(String uuid) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(uuid);
      return optional(
          "nvmlDeviceGetHandleByUUID", out -> (int) functions.handleByUuid.invokeExact(name, out));
    }
  }

  /** A number that the device may not have; the low half of what NVML writes, or all of it. */
  private OptionalLong optional(String function, Question question) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment answer = arena.allocate(C.LONG);
      int code = Downcall.number(() -> question.ask(answer));
      return isTold(function, code) ? OptionalLong.of(answer.get(C.LONG, 0)) : OptionalLong.empty();
    }
  }

  private boolean isTold(String function, int code) {
    if (code == LOST) {
      throw codes.failure(function, code);
    }
    return code == SUCCESS;
  }

  private String text(String function, Question question) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment answer = arena.allocate(LONGEST_TEXT);
      codes.check(function, Downcall.number(() -> question.ask(answer)));
      return C.text(answer);
    }
  }

  /** Who uses the device; asks again with more room where others have come meanwhile. */
  private List<Integer> pids(String function, int bytes, int at, Listing listing) {
    for (int room = 16; ; room *= 2) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment count = arena.allocate(C.INT);
        MemorySegment list = arena.allocate((long) room * bytes, Long.BYTES);
        count.set(C.INT, 0, room);
        int code = Downcall.number(() -> listing.ask(count, list));
        if (code == INSUFFICIENT_SIZE) {
          continue;
        }
        List<Integer> pids = new ArrayList<>();
        if (!isTold(function, code)) {
          return pids;
        }
        for (int i = 0; i < count.get(C.INT, 0); i++) {
          pids.add(list.get(C.INT, (long) i * bytes + at));
        }
        return pids;
      }
    }
  }
}
