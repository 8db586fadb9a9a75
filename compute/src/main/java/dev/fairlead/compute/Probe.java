package dev.fairlead.compute;

import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.compute.driver.Grid;
import dev.fairlead.compute.driver.ProgramSource;
import dev.fairlead.policy.Priority;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A small piece of real work that shows whether a device serves: bytes go there, are copied there,
 * and come back. Where the driver has a program for it, a kernel computes with them, too: after a
 * kernel went astray a device can copy and yet run none.
 */
final class Probe {
  private static final String KERNEL = "fairlead_probe";
  private static final int NUMBERS = 1024;
  private static final int BYTES = NUMBERS * Integer.BYTES;

  private Probe() {}

  /**
   * Runs it.
   *
   * @param program as {@link dev.fairlead.compute.driver.ComputeDriver#probeProgram} describes it;
   *     none if there is but the copy
   */
  static void run(ComputeContext context, ProgramSource... program) {
    try (Stream stream = context.openStream(Priority.NORMAL);
        StagingBuffer there = context.stage(BYTES);
        StagingBuffer back = context.stage(BYTES);
        DeviceBuffer first = context.allocate(BYTES);
        DeviceBuffer second = context.allocate(BYTES)) {
      int[] numbers = new int[NUMBERS];
      for (int i = 0; i < NUMBERS; i++) {
        numbers[i] = i * 0x1F3D5B79 + 7;
      }
      MemorySegment.copy(numbers, 0, there.memory(), ValueLayout.JAVA_INT, 0, NUMBERS);
      stream.upload(there, first);
      stream.copy(first, second);
      stream.download(second, back);
      stream.synchronise();
      require(context, numbers, back, "gave back other bytes than it was sent");
      if (program.length > 0) {
        compute(context, stream, second, program);
        stream.download(second, back);
        stream.synchronise();
        for (int i = 0; i < NUMBERS; i++) {
          numbers[i] = numbers[i] * 31 + i;
        }
        require(context, numbers, back, "runs kernels that give wrong results");
      }
    }
  }

  private static void compute(
      ComputeContext context, Stream stream, DeviceBuffer numbers, ProgramSource... source) {
    try (Program program = context.program(source);
        Kernel kernel = program.kernel(KERNEL)) {
      stream.launch(kernel, Grid.of(NUMBERS), numbers, Argument.of(NUMBERS));
      stream.synchronise();
    }
  }

  private static void require(
      ComputeContext context, int[] numbers, StagingBuffer back, String mistake) {
    MemorySegment came = back.memory();
    for (int i = 0; i < NUMBERS; i++) {
      if (came.getAtIndex(ValueLayout.JAVA_INT, i) != numbers[i]) {
        throw new ComputeException.WrongResult(context.device() + " " + mistake);
      }
    }
  }
}
