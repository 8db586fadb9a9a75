package dev.fairlead.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.compute.ComputeContext;
import dev.fairlead.compute.Stream;
import dev.fairlead.nativecode.Binding;
import dev.fairlead.nativecode.C;
import dev.fairlead.nativecode.Downcall;
import dev.fairlead.nativecode.Symbols;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;

/** An event of the host's own: what a stream is given after it waits until the gate is opened. */
final class ClGate implements AutoCloseable {
  private static final int COMPLETE = 0;

  private record Functions(MethodHandle create, MethodHandle status) {
    static Functions of(Symbols cl) {
      return new Functions(
          cl.function("clCreateUserEvent", C.LONG, C.LONG, C.POINTER),
          cl.function("clSetUserEventStatus", C.INT, C.LONG, C.INT));
    }
  }

  private static final Functions FUNCTIONS =
      ((Binding.Bound<Functions>) Binding.of(List.of("libOpenCL.so.1"), Functions::of)).functions();

  private final Cl cl = ((Binding.Bound<Cl>) Cl.binding()).functions();
  private final long event;

  ClGate(ComputeContext context) {
    long parent = context.handles().context();
    event =
        Downcall.handle(() -> (long) FUNCTIONS.create().invokeExact(parent, MemorySegment.NULL));
    assertThat(event).as("an event of the host's own").isNotZero();
  }

  void hold(Stream stream) {
    try (Arena arena = Arena.ofConfined()) {
      long queue = stream.handle();
      MemorySegment events = arena.allocateFrom(ValueLayout.JAVA_LONG, event);
      int code =
          Downcall.number(
              () -> (int) cl.enqueueBarrier().invokeExact(queue, 1, events, MemorySegment.NULL));
      assertThat(code).isZero();
    }
  }

  void open() {
    int code = Downcall.number(() -> (int) FUNCTIONS.status().invokeExact(event, COMPLETE));
    assertThat(code).isZero();
  }

  @Override
  public void close() {
    int code = Downcall.number(() -> (int) cl.releaseEvent().invokeExact(event));
    assertThat(code).isZero();
  }
}
