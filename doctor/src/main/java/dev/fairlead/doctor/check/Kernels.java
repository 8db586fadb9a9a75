package dev.fairlead.doctor.check;

import dev.fairlead.compute.Argument;
import dev.fairlead.compute.ComputeContext;
import dev.fairlead.compute.DeviceBuffer;
import dev.fairlead.compute.Kernel;
import dev.fairlead.compute.Program;
import dev.fairlead.compute.StagingBuffer;
import dev.fairlead.compute.Stream;
import dev.fairlead.compute.driver.Grid;
import dev.fairlead.compute.driver.ProgramSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.OptionalInt;

/** Kernels that show what a device does: a sound one, a wild one and one without end. */
final class Kernels {
  static final int NUMBERS = 1 << 20;

  private static final int GROUP = 256;
  private static final int BYTES = NUMBERS * Integer.BYTES;

  private Kernels() {}

  private static Program program(ComputeContext context) {
    return context.program(
        ProgramSource.ptx(text("checks.ptx")), ProgramSource.openCl(text("checks.cl")));
  }

  private static String text(String name) {
    try (var stream = Kernels.class.getResourceAsStream("/dev/fairlead/doctor/" + name)) {
      return new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Has the device compute many numbers; the place of the first wrong one, empty if all fit. */
  static OptionalInt firstMistake(ComputeContext context) {
    try (Program program = program(context);
        Kernel kernel = program.kernel("fairlead_probe");
        StagingBuffer host = context.stage(BYTES);
        DeviceBuffer numbers = context.allocate(BYTES)) {
      Stream stream = context.stream();
      MemorySegment memory = host.memory();
      for (int i = 0; i < NUMBERS; i++) {
        memory.setAtIndex(ValueLayout.JAVA_INT, i, number(i));
      }
      stream.upload(host, numbers);
      stream.launch(kernel, Grid.covering(NUMBERS, GROUP), numbers, Argument.of(NUMBERS));
      stream.download(numbers, host);
      stream.synchronise();
      for (int i = 0; i < NUMBERS; i++) {
        if (memory.getAtIndex(ValueLayout.JAVA_INT, i) != number(i) * 31 + i) {
          return OptionalInt.of(i);
        }
      }
      return OptionalInt.empty();
    }
  }

  private static int number(int place) {
    return place * 0x1F3D5B79 + 7;
  }

  /** Has a kernel write where nothing is; throws what the driver says of it. */
  static void goAstray(ComputeContext context) {
    Program program = program(context);
    Stream stream = context.stream();
    stream.launch(program.kernel("wild"), Grid.covering(1, 1));
    stream.synchronise();
  }

  /**
   * Launches a kernel without end and waits for it; returns only if something ends it.
   *
   * @param launched called once it runs
   */
  static void runForEver(ComputeContext context, Runnable launched) {
    Program program = program(context);
    Stream stream = context.stream();
    DeviceBuffer zero = context.allocate(Integer.BYTES);
    stream.fill(zero, (byte) 0);
    stream.synchronise();
    stream.launch(program.kernel("hang"), Grid.covering(1, 1), zero);
    launched.run();
    stream.synchronise();
  }
}
