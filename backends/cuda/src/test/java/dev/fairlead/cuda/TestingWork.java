package dev.fairlead.cuda;

import dev.fairlead.compute.Argument;
import dev.fairlead.compute.ComputeContext;
import dev.fairlead.compute.DeviceBuffer;
import dev.fairlead.compute.Event;
import dev.fairlead.compute.Kernel;
import dev.fairlead.compute.Program;
import dev.fairlead.compute.StagingBuffer;
import dev.fairlead.compute.Stream;
import dev.fairlead.compute.driver.Grid;
import dev.fairlead.compute.driver.ProgramSource;
import dev.fairlead.device.Slot;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CompletionStage;

/** What work does on a device of the double: compute, go astray, or hang. */
final class TestingWork {
  private static final ProgramSource KERNELS = ProgramSource.ptx(TestingCuda.kernels());

  private TestingWork() {}

  /** Adds a thousand to a number, on the device. */
  static int compute(int number, Slot slot) {
    ComputeContext context = slot.context(ComputeContext.class);
    try (Program program = context.program(KERNELS);
        Kernel add = program.kernel("add");
        StagingBuffer host = context.stage(4);
        DeviceBuffer buffer = context.allocate(4)) {
      host.memory().set(ValueLayout.JAVA_INT, 0, number);
      Stream stream = context.stream();
      stream.upload(host, buffer);
      stream.launch(add, Grid.of(1), buffer, Argument.of(1000), Argument.of(1));
      stream.download(buffer, host);
      stream.synchronise();
      return host.memory().get(ValueLayout.JAVA_INT, 0);
    }
  }

  static int launchWild(Slot slot) {
    ComputeContext context = slot.context(ComputeContext.class);
    try (Program program = context.program(KERNELS);
        Kernel wild = program.kernel("wild")) {
      context.stream().launch(wild, Grid.of(1));
      context.stream().synchronise();
      return 1;
    }
  }

  /** Launches a kernel that does not end by itself; the buffer stays open. */
  static CompletionStage<Void> launchHang(Slot slot) {
    ComputeContext context = slot.context(ComputeContext.class);
    DeviceBuffer gate = context.allocate(4);
    try (Program program = context.program(KERNELS);
        Kernel hang = program.kernel("hang")) {
      context.stream().fill(gate, (byte) 0);
      context.stream().launch(hang, Grid.of(1), gate);
      try (Event event = context.stream().mark()) {
        return event.completion();
      }
    }
  }
}
