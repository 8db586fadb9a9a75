package dev.fairlead.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.compute.ComputeContext;
import dev.fairlead.compute.Stream;
import dev.fairlead.nativecode.C;
import dev.fairlead.policy.Priority;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a driver is told of priorities; PoCL does not know them, so that Java stands in for it. */
class ClQueuesTest {
  private static final String HINTS = "cl_khr_fp64 cl_khr_priority_hints cl_khr_icd";

  private final List<String> calls = new ArrayList<>();
  private int refusal;

  long plain(long context, long device, long properties, MemorySegment code) {
    calls.add("plain %d %d %d".formatted(context, device, properties));
    code.set(C.INT, 0, 0);
    return 70;
  }

  long withProperties(long context, long device, MemorySegment properties, MemorySegment code) {
    List<Long> list = new ArrayList<>();
    for (long each : properties.toArray(C.LONG)) {
      list.add(each);
    }
    calls.add("properties %d %d %s".formatted(context, device, list));
    code.set(C.INT, 0, refusal);
    return 80;
  }

  private MethodHandle handle(String name, Class<?> third) throws ReflectiveOperationException {
    return MethodHandles.lookup()
        .bind(
            this,
            name,
            MethodType.methodType(long.class, long.class, long.class, third, MemorySegment.class));
  }

  private ClQueues queues(boolean modern, String extensions) throws ReflectiveOperationException {
    ClQueues.Makers makers =
        new ClQueues.Makers(
            handle("plain", long.class),
            modern ? Optional.of(handle("withProperties", MemorySegment.class)) : Optional.empty());
    return new ClQueues(makers, 5, 6, extensions);
  }

  @Test
  void aDeviceThatTakesHintsIsToldOfPriorities() throws Exception {
    ClQueues queues = queues(true, HINTS);

    assertThat(List.of(Priority.LOW, Priority.NORMAL, Priority.HIGH))
        .extracting(queues::open)
        .containsExactly(80L, 70L, 80L);
    assertThat(calls)
        .as("CL_QUEUE_PROPERTIES with profiling, and CL_QUEUE_PRIORITY_KHR")
        .containsExactly(
            "properties 5 6 [4243, 2, 4246, 4, 0]",
            "plain 5 6 2",
            "properties 5 6 [4243, 2, 4246, 1, 0]");
  }

  @Test
  void othersAreNot() throws Exception {
    queues(true, "cl_khr_fp64 cl_khr_priority_hints_of_another_kind").open(Priority.HIGH);
    queues(false, HINTS).open(Priority.LOW);

    assertThat(calls).containsExactly("plain 5 6 2", "plain 5 6 2");
  }

  @Test
  void aHintThatIsRefusedIsNotWorthAFailure() throws Exception {
    refusal = -35;
    assertThat(queues(true, HINTS).open(Priority.HIGH)).isEqualTo(70);
  }

  @Test
  void streamsOfAllPrioritiesWorkOnARealDevice() {
    try (ComputeContext context = TestingOpenCl.open()) {
      for (Priority priority : Priority.values()) {
        try (Stream stream = context.openStream(priority)) {
          assertThat(stream.priority()).isEqualTo(priority);
          assertThat(stream.handle()).isNotZero();
          stream.synchronise();
        }
      }
    }
  }
}
