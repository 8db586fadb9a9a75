package dev.fairlead.doctor.check;

import dev.fairlead.compute.ComputeContext;
import dev.fairlead.compute.DeviceBuffer;
import dev.fairlead.compute.StagingBuffer;
import dev.fairlead.compute.Stream;
import dev.fairlead.device.Bytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;

/** Whether bytes come to the device and back as they were, and how fast. */
public final class CopyCheck implements Check {
  /** Facts, in gigabytes a second. */
  public static final String UP = "upGigabytesPerSecond";

  public static final String DOWN = "downGigabytesPerSecond";

  private static final long MOST = 64L << 20;
  private static final int ROUNDS = 4;

  @Override
  public String id() {
    return "copies";
  }

  @Override
  public Finding run(Subject subject) {
    long bytes = size(subject);
    try (ComputeContext context = subject.open();
        StagingBuffer there = context.stage(bytes);
        StagingBuffer back = context.stage(bytes);
        DeviceBuffer buffer = context.allocate(bytes)) {
      fill(there.memory());
      Stream stream = context.stream();
      double up =
          seconds(() -> {
            for (int i = 0; i < ROUNDS; i++) {
              stream.upload(there, buffer);
            }
            stream.synchronise();
          });
      double down =
          seconds(() -> {
            for (int i = 0; i < ROUNDS; i++) {
              stream.download(buffer, back);
            }
            stream.synchronise();
          });
      double upSpeed = ROUNDS * bytes / up / 1e9;
      double downSpeed = ROUNDS * bytes / down / 1e9;
      long mistake = there.memory().mismatch(back.memory());
      String speed =
          String.format(
              Locale.ROOT,
              "%s there at %.1f GB/s and back at %.1f GB/s",
              Bytes.of(bytes),
              upSpeed,
              downSpeed);
      return mistake < 0
          ? Finding.pass(speed).with(UP, upSpeed).with(DOWN, downSpeed)
          : Finding.fail(
              "%s, but byte %d came back changed".formatted(speed, mistake), KernelCheck.RESTART);
    }
  }

  static long size(Subject subject) {
    long memory = subject.device().memoryBytes();
    return memory == 0 ? MOST : Math.clamp(memory / 16, 1 << 20, MOST);
  }

  static void fill(MemorySegment memory) {
    for (long i = 0; i < memory.byteSize() / Long.BYTES; i++) {
      memory.setAtIndex(ValueLayout.JAVA_LONG, i, i * 0x9E3779B97F4A7C15L + 1);
    }
  }

  private static double seconds(Runnable work) {
    long begun = System.nanoTime();
    work.run();
    return Math.max(1, System.nanoTime() - begun) / 1e9;
  }
}
