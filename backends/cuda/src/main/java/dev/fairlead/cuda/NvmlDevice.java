package dev.fairlead.cuda;

import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.cuda.NvmlReading.Gauge;
import dev.fairlead.device.Fault;
import dev.fairlead.nativecode.C;
import dev.fairlead.nativecode.Downcall;
import dev.fairlead.stats.Ticker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A device as NVML knows it. That it is lost is believed only of calls with its own handle: a
 * lookup may say so because any device of the machine is lost.
 *
 * <p>What is polled is who uses the device, which two calls tell, and no oftener than {@link
 * #INTERVAL}, however often the pool asks: what others do changes slowly against that.
 */
final class NvmlDevice {
  static final Duration INTERVAL = Duration.ofSeconds(1);

  private static final int UNCORRECTED = 1;
  private static final int SINCE_START = 0;
  private static final int CORE_SENSOR = 0;
  private static final MemoryLayout MEMORY = MemoryLayout.sequenceLayout(3, C.LONG);
  private static final int FREE = 1; // after the total, before what is used
  private static final long LOW_HALF = 0xFFFFFFFFL;

  private interface Question {
    int ask(MemorySegment answer) throws Throwable;
  }

  private interface Listing {
    int ask(MemorySegment count, MemorySegment list) throws Throwable;
  }

  private final Nvml nvml;
  private final NvmlFunctions functions;
  private final String uuid;
  private final Ticker ticker;

  // Guarded by this.
  private final OwnProcesses processes = new OwnProcesses();
  private boolean polled;
  private long polledAt;
  private int foreignStreams;

  NvmlDevice(Nvml nvml, NvmlFunctions functions, String uuid, Ticker ticker) {
    this.nvml = nvml;
    this.functions = functions;
    this.uuid = uuid;
    this.ticker = ticker;
  }

  /**
   * Streams and processes of others, as they were a moment ago; none if NVML does not know the
   * device.
   *
   * @throws ComputeException with {@link Fault#LOST} if it is gone
   */
  synchronized int foreignStreams() {
    long now = ticker.nanos();
    if (!polled || now - polledAt >= INTERVAL.toNanos()) {
      OptionalLong handle = nvml.handle(uuid);
      foreignStreams =
          handle.isPresent() ? users(handle.getAsLong()).foreignStreams(processes.round()) : 0;
      polled = true;
      polledAt = now;
    }
    return foreignStreams;
  }

  /**
   * Memory that nobody uses at present; empty if NVML or the device does not tell.
   *
   * @throws ComputeException with {@link Fault#LOST} if it is gone
   */
  OptionalLong freeBytes() {
    OptionalLong handle = nvml.handle(uuid);
    if (handle.isEmpty()) {
      return OptionalLong.empty();
    }
    long device = handle.getAsLong();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(MEMORY);
      int code = Downcall.number(() -> (int) functions.memory().invokeExact(device, memory));
      return isTold("nvmlDeviceGetMemoryInfo", code)
          ? OptionalLong.of(memory.getAtIndex(C.LONG, FREE))
          : OptionalLong.empty();
    }
  }

  /**
   * Asks the device whether it is there; who does not answer at all is taken to be.
   *
   * @throws ComputeException with {@link Fault#LOST} if it is gone
   */
  void requireThere() {
    OptionalLong handle = nvml.handle(uuid);
    if (handle.isPresent()) {
      // A slice may have no sensor, so that its processes are asked for, too.
      OptionalLong _ = temperature(handle.getAsLong());
      List<Integer> _ = computing(handle.getAsLong());
    }
  }

  /**
   * What the device says of itself now, for people to read; empty if NVML does not know it.
   *
   * @throws ComputeException with {@link Fault#LOST} if it is gone
   */
  Optional<NvmlReading> read() {
    OptionalLong handle = nvml.handle(uuid);
    return handle.isPresent()
        ? Optional.of(new NvmlReading(gauges(handle.getAsLong()), users(handle.getAsLong())))
        : Optional.empty();
  }

  private Map<Gauge, Long> gauges(long device) {
    Map<Gauge, Long> gauges = new EnumMap<>(Gauge.class);
    // Two numbers of 32 bits: how busy the cores are, and the memory.
    optional(
            "nvmlDeviceGetUtilizationRates",
            out -> (int) functions.utilization().invokeExact(device, out))
        .ifPresent(both -> gauges.put(Gauge.UTILIZATION, both & LOW_HALF));
    temperature(device).ifPresent(value -> gauges.put(Gauge.TEMPERATURE, value));
    optional("nvmlDeviceGetPowerUsage", out -> (int) functions.power().invokeExact(device, out))
        .ifPresent(value -> gauges.put(Gauge.POWER, value));
    optional(
            "nvmlDeviceGetTotalEccErrors",
            out -> (int) functions.eccErrors().invokeExact(device, UNCORRECTED, SINCE_START, out))
        .ifPresent(value -> gauges.put(Gauge.ECC_ERRORS, value));
    return gauges;
  }

  private OptionalLong temperature(long device) {
    return optional(
        "nvmlDeviceGetTemperature",
        out -> (int) functions.temperature().invokeExact(device, CORE_SENSOR, out));
  }

  private NvmlUsers users(long device) {
    return new NvmlUsers(
        computing(device),
        pids(
            "nvmlDeviceGetEncoderSessions",
            NvmlRecords.SESSIONS,
            (count, list) -> (int) functions.sessions().invokeExact(device, count, list)));
  }

  private List<Integer> computing(long device) {
    NvmlFunctions.Processes running = functions.processes();
    return pids(
        "nvmlDeviceGetComputeRunningProcesses",
        running.records(),
        (count, list) -> (int) running.list().invokeExact(device, count, list));
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
    if (code == Nvml.LOST) {
      throw nvml.failure(function, code);
    }
    return code == Nvml.SUCCESS;
  }

  /** Who uses the device; asks again with more room where others have come meanwhile. */
  private List<Integer> pids(String function, NvmlRecords records, Listing listing) {
    for (int room = NvmlRecords.FIRST_ROOM;
        NvmlRecords.isRoom(room);
        room = NvmlRecords.moreRoom(room)) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment count = arena.allocate(C.INT);
        MemorySegment list = records.allocate(arena, room);
        count.set(C.INT, 0, room);
        int code = Downcall.number(() -> listing.ask(count, list));
        if (code != Nvml.INSUFFICIENT_SIZE) {
          return isTold(function, code)
              ? records.pids(list, Math.min(room, count.get(C.INT, 0)))
              : List.of();
        }
      }
    }
    return List.of();
  }
}
