package dev.fairlead.compute;

import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.policy.Priority;
import java.lang.foreign.MemorySegment;

/** A small piece of real work that shows whether a device serves. */
final class Probe {
  private static final int BYTES = 4096;

  private Probe() {}

  static void run(ComputeContext context) {
    try (Stream stream = context.openStream(Priority.NORMAL);
        StagingBuffer there = context.stage(BYTES);
        StagingBuffer back = context.stage(BYTES);
        DeviceBuffer first = context.allocate(BYTES);
        DeviceBuffer second = context.allocate(BYTES)) {
      byte[] pattern = new byte[BYTES];
      for (int i = 0; i < BYTES; i++) {
        pattern[i] = (byte) (i * 31 + 7);
      }
      MemorySegment sent = MemorySegment.ofArray(pattern);
      there.memory().copyFrom(sent);
      stream.upload(there, first);
      stream.copy(first, second);
      stream.download(second, back);
      stream.synchronise();
      if (sent.mismatch(back.memory()) >= 0) {
        throw new ComputeException.WrongResult(
            context.device() + " gave back other bytes than it was sent");
      }
    }
  }
}
