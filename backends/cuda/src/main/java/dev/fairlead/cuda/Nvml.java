package dev.fairlead.cuda;

import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.compute.driver.DriverCodes;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Fault;
import dev.fairlead.nativecode.Binding;
import dev.fairlead.nativecode.C;
import dev.fairlead.nativecode.Downcall;
import dev.fairlead.stats.Ticker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * NVML, which knows the state of devices without a context on them, and those that the environment
 * hides from CUDA. It may be called on any thread. Once started it is never shut down: others in
 * the process may use it.
 *
 * <p>All that it tells is optional. What a device does not tell is left out, whatever the reason:
 * drivers differ in the code with which they refuse a gauge of a slice, and a gauge that cannot be
 * read is no fault of the device. The one answer that counts is that a device is lost, and only of
 * {@link NvmlDevice}: a lookup says it if any device of the machine is lost. So handles are kept,
 * and looked up again only when a device is opened again.
 */
final class Nvml {
  static final int SUCCESS = 0;
  static final int INSUFFICIENT_SIZE = 7;
  static final int LOST = 15;

  private static final int NOT_FOUND = 6;
  private static final int LONGEST_TEXT = 256;
  private static final String UNSEEN = "; what others do on the devices is not seen";

  /** A device that NVML knows, whether or not CUDA shows it. */
  record Listed(String uuid, String name) {}

  private interface Question {
    int ask(MemorySegment answer) throws Throwable;
  }

  private final NvmlFunctions functions;
  private final DriverCodes codes;
  private final Ticker ticker;

  /** By UUID; empty for what NVML has said it does not know. */
  private final Map<String, OptionalLong> handles = new ConcurrentHashMap<>();

  private Nvml(NvmlFunctions functions, Ticker ticker) {
    this.functions = functions;
    this.ticker = ticker;
    this.codes = new DriverCodes("NVML", this::errorString, Nvml::fault);
  }

  /**
   * NVML, started; empty where there is none, since all that it tells is optional.
   *
   * @param problems hears of one that is there and does not work
   */
  static Optional<Nvml> on(CudaHost host, Ticker ticker, List<Discovery.Problem> problems) {
    switch (Binding.of(host.nvmlLibraries(), NvmlFunctions::of)) {
      case Binding.Bound<NvmlFunctions>(String library, NvmlFunctions functions) -> {
        Nvml nvml = new Nvml(functions, ticker);
        int code = Downcall.number(() -> (int) functions.init().invokeExact());
        if (code == SUCCESS) {
          return Optional.of(nvml);
        }
        problems.add(
            new Discovery.Problem(
                library, nvml.failure("nvmlInit_v2", code).getMessage() + UNSEEN));
      }
      case Binding.Unbound<NvmlFunctions> unbound -> {
        if (!host.isMissing(unbound)) {
          problems.add(new Discovery.Problem("NVML", unbound.reason() + UNSEEN));
        }
      }
    }
    return Optional.empty();
  }

  private String errorString(int code) {
    return C.textAt(
        Downcall.pointer(() -> (MemorySegment) functions.errorString().invokeExact(code)),
        LONGEST_TEXT);
  }

  private static Fault fault(int code) {
    return code == LOST ? Fault.LOST : Fault.DEVICE;
  }

  ComputeException failure(String function, int code) {
    return codes.failure(function, code);
  }

  boolean knows(String uuid) {
    return handle(uuid).isPresent();
  }

  /** A device, looked up anew; if that fails, the handle that is known of it serves on. */
  NvmlDevice device(String uuid) {
    lookUp(uuid);
    return new NvmlDevice(this, functions, uuid, ticker);
  }

  /** The handle of a device; looked up where it is not known yet. */
  OptionalLong handle(String uuid) {
    if (!handles.containsKey(uuid)) {
      lookUp(uuid);
    }
    return handles.getOrDefault(uuid, OptionalLong.empty());
  }

  private void lookUp(String uuid) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(uuid);
      MemorySegment answer = arena.allocate(C.LONG);
      int code = Downcall.number(() -> (int) functions.handleByUuid().invokeExact(name, answer));
      switch (code) {
        case SUCCESS -> handles.put(uuid, OptionalLong.of(answer.get(C.LONG, 0)));
        case NOT_FOUND -> handles.putIfAbsent(uuid, OptionalLong.empty());
        default -> {} // whatever it is, it need not be about this device
      }
    }
  }

  /**
   * All devices of the machine, slices not told apart.
   *
   * @param problems hears of those that do not even tell who they are
   */
  List<Listed> all(List<Discovery.Problem> problems) {
    List<Listed> all = new ArrayList<>();
    int count = count();
    for (int index = 0; index < count; index++) {
      try {
        all.add(listed(index));
      } catch (ComputeException silent) {
        problems.add(new Discovery.Problem("device " + index + " of NVML", told(silent)));
      }
    }
    return all;
  }

  private static String told(ComputeException silent) {
    return silent.getMessage()
        + (silent.fault() == Fault.LOST ? ", which may mean another device of this machine" : "");
  }

  private int count() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment answer = arena.allocate(C.INT);
      int code = Downcall.number(() -> (int) functions.count().invokeExact(answer));
      return code == SUCCESS ? answer.get(C.INT, 0) : 0;
    }
  }

  private Listed listed(int index) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment answer = arena.allocate(C.LONG);
      codes.check(
          "nvmlDeviceGetHandleByIndex_v2",
          Downcall.number(() -> (int) functions.handleByIndex().invokeExact(index, answer)));
      long device = answer.get(C.LONG, 0);
      return new Listed(
          text(
              "nvmlDeviceGetUUID",
              out -> (int) functions.uuid().invokeExact(device, out, LONGEST_TEXT)),
          text(
              "nvmlDeviceGetName",
              out -> (int) functions.name().invokeExact(device, out, LONGEST_TEXT)));
    }
  }

  private String text(String function, Question question) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment answer = arena.allocate(LONGEST_TEXT);
      codes.check(function, Downcall.number(() -> question.ask(answer)));
      return C.text(answer);
    }
  }
}
