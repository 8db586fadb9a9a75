package dev.fairlead.opencl;

import dev.fairlead.nativecode.C;
import dev.fairlead.nativecode.Downcall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The devices that the drivers in this process have. */
final class ClDevices {
  private static final int PLATFORM_NAME = 0x0902;
  private static final int TYPE = 0x1000;
  private static final int MAX_COMPUTE_UNITS = 0x1002;
  private static final int GLOBAL_MEM_SIZE = 0x101F;
  private static final int NAME = 0x102B;
  private static final int VENDOR = 0x102C;
  private static final int DRIVER_VERSION = 0x102D;
  private static final int VERSION = 0x102F;
  private static final int EXTENSIONS = 0x1030;
  private static final int UUID_KHR = 0x106A;
  private static final int PCI_BUS_INFO_KHR = 0x410F;
  private static final int TOPOLOGY_AMD = 0x4037;
  private static final int TOPOLOGY_BYTES = 24;
  private static final int TOPOLOGY_PCI = 1;
  private static final long TYPE_CPU = 1 << 1;
  private static final long ALL_TYPES = 0xFFFFFFFFL;
  private static final int NOT_FOUND = -1;

  private final Cl cl;

  ClDevices(Cl cl) {
    this.cl = cl;
  }

  /** Platforms in the order of the loader; none where no driver is registered. */
  List<Long> platforms() {
    return ids(
        "clGetPlatformIDs",
        ClCodes.NO_PLATFORM,
        (count, ids, number) -> (int) cl.getPlatformIds().invokeExact(count, ids, number));
  }

  List<Long> devices(long platform) {
    return ids(
        "clGetDeviceIDs",
        NOT_FOUND,
        (count, ids, number) ->
            (int) cl.getDeviceIds().invokeExact(platform, ALL_TYPES, count, ids, number));
  }

  String platformName(long platform) {
    return ClInfo.text(
        "clGetPlatformInfo",
        (size, answer, length) ->
            (int) cl.getPlatformInfo().invokeExact(platform, PLATFORM_NAME, size, answer, length));
  }

  String name(long device) {
    return ClInfo.text("clGetDeviceInfo", about(device, NAME));
  }

  String extensions(long device) {
    return ClInfo.text("clGetDeviceInfo", about(device, EXTENSIONS));
  }

  int computeUnits(long device) {
    return ClInfo.small("clGetDeviceInfo", about(device, MAX_COMPUTE_UNITS));
  }

  List<ClDevice> all() {
    List<ClDevice> all = new ArrayList<>();
    List<Long> platforms = platforms();
    for (int platform = 0; platform < platforms.size(); platform++) {
      List<Long> devices = devices(platforms.get(platform));
      for (int index = 0; index < devices.size(); index++) {
        all.add(describe(platform, index, platforms.get(platform), devices.get(index)));
      }
    }
    return all;
  }

  private ClDevice describe(int platformNumber, int index, long platform, long device) {
    return new ClDevice(
        platformNumber,
        index,
        platformName(platform),
        name(device),
        ClInfo.text("clGetDeviceInfo", about(device, VENDOR)),
        (ClInfo.number("clGetDeviceInfo", about(device, TYPE)) & TYPE_CPU) != 0,
        ClInfo.number("clGetDeviceInfo", about(device, GLOBAL_MEM_SIZE)),
        computeUnits(device),
        ClInfo.text("clGetDeviceInfo", about(device, VERSION)),
        ClInfo.text("clGetDeviceInfo", about(device, DRIVER_VERSION)),
        key(device),
        pciAddress(device).orElse(""));
  }

  private String key(long device) {
    return ClInfo.optional(about(device, UUID_KHR))
        .filter(bytes -> bytes.length == 16)
        .map(ClDevices::uuid)
        .or(() -> pciAddress(device).map(address -> "pci:" + address))
        .orElse("");
  }

  /** As the extension tells it, or else as AMD's drivers did before there was one. */
  private Optional<String> pciAddress(long device) {
    return ClInfo.optional(about(device, PCI_BUS_INFO_KHR))
        .filter(bytes -> bytes.length >= 16)
        .map(ClDevices::pciAddress)
        .or(() ->
            ClInfo.optional(about(device, TOPOLOGY_AMD)).flatMap(ClDevices::addressInTopology));
  }

  /** Four bytes that say which bus it is, and at the end bus, device and function. */
  static Optional<String> addressInTopology(byte[] bytes) {
    return bytes.length < TOPOLOGY_BYTES || bytes[0] != TOPOLOGY_PCI
        ? Optional.empty()
        : Optional.of(
            "0000:%02x:%02x.%x".formatted(bytes[21] & 0xff, bytes[22] & 0xff, bytes[23] & 0x7));
  }

  private static String pciAddress(byte[] bytes) {
    ByteBuffer numbers = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    return "%04x:%02x:%02x.%x"
        .formatted(numbers.getInt(), numbers.getInt(), numbers.getInt(), numbers.getInt());
  }

  private static String uuid(byte[] bytes) {
    ByteBuffer halves = ByteBuffer.wrap(bytes);
    return "GPU-" + new UUID(halves.getLong(), halves.getLong());
  }

  private ClInfo.Question about(long device, int what) {
    return (size, answer, length) ->
        (int) cl.getDeviceInfo().invokeExact(device, what, size, answer, length);
  }

  private interface Listing {
    int ask(int count, MemorySegment ids, MemorySegment number) throws Throwable;
  }

  private static List<Long> ids(String function, int none, Listing listing) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment number = arena.allocate(C.INT);
      int code = Downcall.number(() -> listing.ask(0, MemorySegment.NULL, number));
      if (code == none) {
        return List.of();
      }
      ClCodes.CALLS.check(function, code);
      int count = number.get(C.INT, 0);
      if (count == 0) {
        return List.of();
      }
      MemorySegment ids = arena.allocate(C.LONG, count);
      ClCodes.CALLS.check(
          function, Downcall.number(() -> listing.ask(count, ids, MemorySegment.NULL)));
      List<Long> list = new ArrayList<>();
      for (long id : ids.toArray(ValueLayout.JAVA_LONG)) {
        list.add(id);
      }
      return list;
    }
  }
}
