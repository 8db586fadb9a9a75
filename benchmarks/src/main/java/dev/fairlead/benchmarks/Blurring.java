package dev.fairlead.benchmarks;

import dev.fairlead.compute.Argument;
import dev.fairlead.compute.ComputeContext;
import dev.fairlead.compute.DeviceBuffer;
import dev.fairlead.compute.Kernel;
import dev.fairlead.compute.Program;
import dev.fairlead.compute.StagingBuffer;
import dev.fairlead.compute.Stream;
import dev.fairlead.compute.driver.Grid;
import dev.fairlead.device.Slot;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Blurs frames on whatever slot it is given: with kernels where the slot computes with them, in
 * Java on a lane. What a slot needs is made by its first frame and kept.
 */
final class Blurring {

  /** A blur that one slot has to itself. */
  private interface Blurred {
    MemorySegment of(byte[] frame);
  }

  private final Map<Slot, Blurred> slots = new ConcurrentHashMap<>();

  /** The blurred frame; good until the next one on the same slot. */
  MemorySegment blur(byte[] frame, Slot slot) {
    return slots
        .computeIfAbsent(
            slot,
            first ->
                first.context() instanceof ComputeContext context
                    ? new OnDevice(context)
                    : new InJava())
        .of(frame);
  }

  private static final class InJava implements Blurred {
    private final byte[] between = new byte[Blur.BYTES];
    private final byte[] out = new byte[Blur.BYTES];

    @Override
    public MemorySegment of(byte[] frame) {
      Blur.blur(frame, between, out);
      return MemorySegment.ofArray(out);
    }
  }

  /** Closed with its context. */
  private static final class OnDevice implements Blurred {
    private static final Grid GRID = Grid.covering(Blur.WIDTH, Blur.HEIGHT, 64, 1);

    private final Stream stream;
    private final StagingBuffer host;
    private final DeviceBuffer frames;
    private final DeviceBuffer between;
    private final Kernel rows;
    private final Kernel columns;

    OnDevice(ComputeContext context) {
      stream = context.stream();
      host = context.stage(Blur.BYTES);
      frames = context.allocate(Blur.BYTES);
      between = context.allocate(Blur.BYTES);
      try (Program program = context.program(Blur.SOURCE)) {
        rows = program.kernel("rows");
        columns = program.kernel("columns");
      }
    }

    @Override
    public MemorySegment of(byte[] frame) {
      Argument width = Argument.of(Blur.WIDTH);
      Argument height = Argument.of(Blur.HEIGHT);
      host.memory().copyFrom(MemorySegment.ofArray(frame));
      stream.upload(host, frames);
      stream.launch(rows, GRID, frames, between, width, height);
      stream.launch(columns, GRID, between, frames, width, height);
      stream.download(frames, host);
      stream.synchronise();
      return host.memory();
    }
  }
}
