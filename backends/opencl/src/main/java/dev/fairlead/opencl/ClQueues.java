package dev.fairlead.opencl;

import dev.fairlead.nativecode.C;
import dev.fairlead.nativecode.Downcall;
import dev.fairlead.policy.Priority;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;

/**
 * Opens the queues of a device, which are its streams. A device with the extension {@value
 * #PRIORITY_HINTS} is told of priorities other than the normal one, and may follow them or not; for
 * others all streams are alike.
 */
final class ClQueues {
  private static final String PRIORITY_HINTS = "cl_khr_priority_hints";
  private static final long PROFILING_ENABLE = 1 << 1;
  private static final long QUEUE_PROPERTIES = 0x1093;
  private static final long QUEUE_PRIORITY = 0x1096;
  private static final long PRIORITY_HIGH = 1;
  private static final long PRIORITY_LOW = 1 << 2;

  /**
   * How queues are made.
   *
   * @param plain what every version of OpenCL has
   * @param withProperties what OpenCL has since version 2.0
   */
  record Makers(MethodHandle plain, Optional<MethodHandle> withProperties) {}

  private final Makers makers;
  private final long context;
  private final long device;
  private final boolean hints;

  /**
   * Queues of a device in a context.
   *
   * @param extensions those of the device, with spaces between them
   */
  ClQueues(Makers makers, long context, long device, String extensions) {
    this.makers = makers;
    this.context = context;
    this.device = device;
    this.hints =
        makers.withProperties.isPresent()
            && List.of(extensions.split(" +", -1)).contains(PRIORITY_HINTS);
  }

  long open(Priority priority) {
    return switch (priority) {
      case LOW -> open(PRIORITY_LOW);
      case NORMAL -> plain();
      case HIGH -> open(PRIORITY_HIGH);
    };
  }

  private long open(long hint) {
    if (!hints) {
      return plain();
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment code = arena.allocate(C.INT);
      MemorySegment properties =
          arena.allocateFrom(C.LONG, QUEUE_PROPERTIES, PROFILING_ENABLE, QUEUE_PRIORITY, hint, 0);
      MethodHandle maker = makers.withProperties.orElseThrow();
      long queue =
          Downcall.handle(() -> (long) maker.invokeExact(context, device, properties, code));
      // A hint is not worth a failure.
      return code.get(C.INT, 0) == 0 ? queue : plain();
    }
  }

  private long plain() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment code = arena.allocate(C.INT);
      long queue =
          Downcall.handle(
              () -> (long) makers.plain.invokeExact(context, device, PROFILING_ENABLE, code));
      ClCodes.CALLS.check("clCreateCommandQueue", code.get(C.INT, 0));
      return queue;
    }
  }
}
