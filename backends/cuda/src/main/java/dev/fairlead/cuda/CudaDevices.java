package dev.fairlead.cuda;

import dev.fairlead.compute.driver.DriverCodes;
import dev.fairlead.device.ComputeCapability;
import dev.fairlead.nativecode.C;
import dev.fairlead.nativecode.Downcall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Predicate;

/** The devices that a driver shows, which needs no context on them. */
final class CudaDevices {
  private static final int MULTIPROCESSOR_COUNT = 16;
  private static final int COMPUTE_MODE = 20;
  private static final int CAPABILITY_MAJOR = 75;
  private static final int CAPABILITY_MINOR = 76;
  private static final int LONGEST_TEXT = 256;
  private static final int UUID_BYTES = 16;

  private final Cu cu;
  private final DriverCodes codes;

  CudaDevices(Cu cu) {
    this.cu = cu;
    this.codes = CudaCodes.of(cu);
  }

  private interface Question {
    int ask(MemorySegment answer) throws Throwable;
  }

  private MemorySegment answer(Arena arena, long bytes, String function, Question question) {
    MemorySegment answer = arena.allocate(bytes, Long.BYTES);
    codes.check(function, Downcall.number(() -> question.ask(answer)));
    return answer;
  }

  private int number(String function, Question question) {
    try (Arena arena = Arena.ofConfined()) {
      return answer(arena, Long.BYTES, function, question).get(C.INT, 0);
    }
  }

  private String text(String function, Question question) {
    try (Arena arena = Arena.ofConfined()) {
      return C.text(answer(arena, LONGEST_TEXT, function, question)).strip();
    }
  }

  int count() {
    return number("cuDeviceGetCount", out -> (int) cu.deviceGetCount().invokeExact(out));
  }

  /**
   * Describes a device.
   *
   * @param slices tells from a UUID, {@code MIG-} in front, whether there is such a slice
   */
  CudaDevice describe(int ordinal, Predicate<String> slices) {
    int handle = number("cuDeviceGet", out -> (int) cu.deviceGet().invokeExact(out, ordinal));
    String name =
        text(
            "cuDeviceGetName",
            out -> (int) cu.deviceGetName().invokeExact(out, LONGEST_TEXT, handle));
    String uuid = uuid(handle);
    boolean slice = name.contains(" MIG ") || slices.test(CudaDevice.SLICE + uuid);
    return new CudaDevice(
        ordinal,
        handle,
        (slice ? CudaDevice.SLICE : CudaDevice.WHOLE) + uuid,
        name,
        text(
                "cuDeviceGetPCIBusId",
                out -> (int) cu.deviceGetPciBusId().invokeExact(out, LONGEST_TEXT, handle))
            .toLowerCase(Locale.ROOT),
        ComputeCapability.of(
            attribute(CAPABILITY_MAJOR, handle), attribute(CAPABILITY_MINOR, handle)),
        memoryBytes(handle),
        attribute(MULTIPROCESSOR_COUNT, handle),
        slice);
  }

  /** Whether a device reads the memory of another one by itself. */
  boolean reaches(CudaDevice device, CudaDevice other) {
    return number(
            "cuDeviceCanAccessPeer",
            out -> (int) cu.deviceCanAccessPeer().invokeExact(out, device.handle(), other.handle()))
        != 0;
  }

  /** Who may compute there: all, nobody, or one process at a time. */
  String computeMode(CudaDevice device) {
    int mode = attribute(COMPUTE_MODE, device.handle());
    return switch (mode) {
      case 0 -> "default";
      case 2 -> "prohibited";
      case 3 -> "exclusive process";
      default -> String.valueOf(mode);
    };
  }

  private int attribute(int which, int handle) {
    return number(
        "cuDeviceGetAttribute",
        out -> (int) cu.deviceGetAttribute().invokeExact(out, which, handle));
  }

  private long memoryBytes(int handle) {
    try (Arena arena = Arena.ofConfined()) {
      return answer(
              arena,
              Long.BYTES,
              "cuDeviceTotalMem_v2",
              out -> (int) cu.deviceTotalMem().invokeExact(out, handle))
          .get(C.SIZE, 0);
    }
  }

  private String uuid(int handle) {
    try (Arena arena = Arena.ofConfined()) {
      ByteBuffer halves =
          ByteBuffer.wrap(
              answer(
                      arena,
                      UUID_BYTES,
                      "cuDeviceGetUuid_v2",
                      out -> (int) cu.deviceGetUuid().invokeExact(out, handle))
                  .toArray(ValueLayout.JAVA_BYTE));
      return new UUID(halves.getLong(), halves.getLong()).toString();
    }
  }
}
