package dev.fairlead.media.prepare;

import dev.fairlead.device.Bytes;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.plan.Memory;
import dev.fairlead.media.plan.MemoryParts;
import dev.fairlead.media.plan.Pumps;
import dev.fairlead.media.plan.Rung;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.progress.EndOfJob;
import dev.fairlead.media.settings.BudgetSize;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which devices work on a job, with how many pumps and how much room for pictures, so that all of
 * it stays within a bound.
 *
 * <p>What is given up where memory is scarce, in this order: further pumps, chunks that are decoded
 * ahead, and lanes. A pump, a chunk and a lane are the least.
 *
 * @param bound what may be used in all
 * @param wanted how many lanes there could be
 */
public record Admission(
    long bound, List<Device> devices, Pumps pumps, BudgetSize room, int wanted) {
  public Admission {
    devices = List.copyOf(devices);
  }

  /**
   * Admits as many devices as fit. Where there is none to begin with, that is for others to say.
   *
   * @throws TranscodeException.TooLarge if none does
   */
  public static Admission of(TranscodePlan plan, List<Device> devices, Pumps pumps, long bound) {
    Memory memory = plan.memory();
    List<Device> admitted = new ArrayList<>(devices);
    while (admitted.size() > 1 && least(memory, admitted) > bound) {
      admitted.remove(costliest(memory, admitted));
    }
    if (!admitted.isEmpty() && least(memory, admitted) > bound) {
      throw tooLarge(plan, least(memory, admitted), bound);
    }
    int chunks = chunks(plan, admitted);
    long left = Math.max(0, bound - least(memory, admitted) + memory.chunk());
    int most = 1;
    while (most < pumps.most()
        && left - memory.pump() >= memory.chunk() * Math.max(chunks, most + 2)) {
      most++;
      left -= memory.pump();
    }
    Pumps fewer = new Pumps(Math.min(pumps.least(), most), most, pumps.spanChunks());
    return new Admission(bound, admitted, fewer, new BudgetSize(chunks, left), slots(devices));
  }

  /**
   * Room for the chunks that are worked on, and for one that is decoded meanwhile. A chunk is held
   * for as long as its largest rung takes, so lanes hold as many as would work on largest rungs.
   * Cards differ in speed: each of their encoders may hold another chunk, and if the slow ones held
   * all there is room for, the fast ones would wait.
   */
  private static int chunks(TranscodePlan plan, List<Device> devices) {
    int lanes = slots(devices.stream().filter(Admission::isLane).toList());
    int onCards = slots(devices) - lanes;
    double all = plan.rungs().stream().mapToDouble(Rung::pixels).sum();
    double largest = plan.rungs().stream().mapToDouble(Rung::pixels).max().orElseThrow();
    return 1 + (int) Math.max(1, onCards + Math.round(lanes * largest / all));
  }

  /** The most that a job makes use of; twice that, for sources have more pictures than they say. */
  public static long most(TranscodePlan plan, List<Device> devices, Pumps pumps) {
    Memory memory = plan.memory();
    long ahead = chunks(plan, devices) * memory.chunk() + (pumps.most() - 1) * memory.pump();
    return least(memory, devices) + 2 * ahead;
  }

  private static long least(Memory memory, List<Device> devices) {
    return memory.least(devices.stream().mapToLong(device -> bytes(memory, device)).sum());
  }

  /** What the encoders of a device take. */
  public static long encoders(Memory memory, Device device) {
    return bytes(memory, device);
  }

  private static long bytes(Memory memory, Device device) {
    return device.slots() * (isLane(device) ? memory.lane() : memory.deviceLane());
  }

  private static boolean isLane(Device device) {
    return device.kind().equals(DeviceKind.CPU);
  }

  /** The last of those that take most. */
  private static int costliest(Memory memory, List<Device> devices) {
    return IntStream.range(0, devices.size())
        .boxed()
        .max(
            Comparator.<Integer>comparingLong(place -> bytes(memory, devices.get(place)))
                .thenComparing(Comparator.naturalOrder()))
        .orElseThrow();
  }

  private static int slots(List<Device> devices) {
    return devices.stream().mapToInt(Device::slots).sum();
  }

  private static TranscodeException.TooLarge tooLarge(TranscodePlan plan, long least, long bound) {
    Bytes needed = Bytes.of(least);
    Bytes may = Bytes.of(bound);
    return EndOfJob.tooLarge(
        plan.request(),
        "%s needs %s of memory, %s may be used"
            .formatted(plan.request().input(), needed.besides(may), may.besides(needed)));
  }

  /** What it allows of each part of a plan's memory. */
  public MemoryParts parts(Memory memory) {
    return new MemoryParts(
        memory.processes(),
        pumps.most() * memory.pump(),
        room.bytes(),
        devices.stream().mapToLong(device -> bytes(memory, device)).sum(),
        memory.sound());
  }

  /** Whether devices had to be left out. */
  public boolean isScarce() {
    return slots(devices) < wanted;
  }

  /** Why devices were left out. */
  String reason() {
    return "Memory is scarce: %s may be used, so %d of %d lanes encode"
        .formatted(Bytes.of(bound), slots(devices), wanted);
  }
}
