package dev.fairlead.examples;

import dev.fairlead.compute.Argument;
import dev.fairlead.compute.ComputeContext;
import dev.fairlead.compute.DeviceBuffer;
import dev.fairlead.compute.Kernel;
import dev.fairlead.compute.Program;
import dev.fairlead.compute.StagingBuffer;
import dev.fairlead.compute.Stream;
import dev.fairlead.compute.driver.Grid;
import dev.fairlead.compute.driver.ProgramSource;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Slot;
import dev.fairlead.dispatch.Dispatcher;
import dev.fairlead.dispatch.Distribution;
import dev.fairlead.outcome.RetryOptions;
import dev.fairlead.policy.Demand;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.PoolOptions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Iterator;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Frames of grey pixels are blurred over all OpenCL devices, and come out in their order. */
public final class BlurFrames {
  public static final int WIDTH = 640;
  public static final int HEIGHT = 360;

  private static final ProgramSource SOURCE =
      ProgramSource.openCl(
          """
          kernel void blur(global const uchar *in, global uchar *out, int width, int height) {
            int x = get_global_id(0), y = get_global_id(1), sum = 0;
            for (int dy = -1; dy <= 1; dy++) {
              for (int dx = -1; dx <= 1; dx++) {
                sum += in[clamp(y + dy, 0, height - 1) * width + clamp(x + dx, 0, width - 1)];
              }
            }
            out[y * width + x] = sum / 9;
          }
          """);

  private BlurFrames() {}

  /** Blurs a hundred frames of noise. */
  public static void main(String[] none) throws InterruptedException {
    Iterator<byte[]> frames =
        IntStream.range(0, 100)
            .mapToObj(number -> {
              byte[] frame = new byte[WIDTH * HEIGHT];
              new Random(number).nextBytes(frame);
              return frame;
            })
            .iterator();
    long[] bytes = new long[1];
    blur("opencl", frames, blurred -> bytes[0] += blurred.length);
    IO.println(bytes[0] + " bytes blurred");
  }

  /** Blurs frames on the selected devices; they are given on in the order in which they came. */
  public static void blur(String devices, Iterator<byte[]> frames, Consumer<byte[]> blurred)
      throws InterruptedException {
    try (DevicePool pool = DevicePool.open(Discovery.find(devices), PoolOptions.usual());
        Dispatcher dispatcher = Dispatcher.on(pool);
        Distribution<byte[]> outcomes =
            dispatcher.stream(
                frames, 16, Demand.any(), BlurFrames::blur, RetryOptions.once().withTries(3))) {
      while (outcomes.hasNext()) {
        blurred.accept(outcomes.take().orThrow());
      }
    }
  }

  /** One frame, on the device that the pool has chosen. The program is built once for each. */
  private static byte[] blur(byte[] frame, Slot slot) {
    ComputeContext context = slot.context(ComputeContext.class);
    Stream stream = context.stream();
    try (Program program = context.program(SOURCE);
        Kernel kernel = program.kernel("blur");
        StagingBuffer host = context.stage(frame.length);
        DeviceBuffer in = context.allocate(frame.length);
        DeviceBuffer out = context.allocate(frame.length)) {
      host.memory().copyFrom(MemorySegment.ofArray(frame));
      stream.upload(host, in);
      stream.launch(
          kernel, Grid.of(WIDTH, HEIGHT), in, out, Argument.of(WIDTH), Argument.of(HEIGHT));
      stream.download(out, host);
      stream.synchronise();
      return host.memory().toArray(ValueLayout.JAVA_BYTE);
    }
  }
}
