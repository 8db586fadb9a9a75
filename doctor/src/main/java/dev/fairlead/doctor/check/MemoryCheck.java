package dev.fairlead.doctor.check;

import dev.fairlead.compute.ComputeContext;
import dev.fairlead.compute.DeviceBuffer;
import dev.fairlead.compute.Stream;
import dev.fairlead.device.Bytes;
import dev.fairlead.device.DeviceContext;

/** Whether the amount of free memory moves when memory is used: placement goes by it. */
final class MemoryCheck implements Check {
  @Override
  public String id() {
    return "memory";
  }

  @Override
  public Finding run(Subject subject) {
    long bytes = CopyCheck.size(subject);
    try (ComputeContext context = subject.open()) {
      long before = free(context);
      long during;
      try (DeviceBuffer buffer = context.allocate(bytes)) {
        Stream stream = context.stream();
        stream.fill(buffer, (byte) 1);
        stream.synchronise();
        during = free(context);
      }
      long moved = before - during;
      return moved >= bytes / 2
          ? Finding.pass(
              "%s free; it falls when %s are used".formatted(Bytes.of(before), Bytes.of(bytes)))
          : Finding.fail(
              "%s are free before and %s after %s were taken"
                  .formatted(Bytes.of(before), Bytes.of(during), Bytes.of(bytes)),
              "The driver does not count memory, so that the device may be given too much;"
                  + " update the driver");
    }
  }

  private static long free(ComputeContext context) {
    return context.sample().map(DeviceContext.Sample::freeBytes).orElse(0L);
  }
}
