package dev.fairlead.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class EventQueueTest {
  @Test
  void givesEventsByTimeWhateverComesBetween() {
    SplittableRandom random = new SplittableRandom(7);
    EventQueue queue = new EventQueue();
    PriorityQueue<Long> expected = new PriorityQueue<>();
    for (int step = 0; step < 100_000; step++) {
      if (expected.isEmpty() || random.nextInt(5) < 3) {
        long time = random.nextLong(1_000_000);
        queue.add(time, time * 3);
        expected.add(time);
      } else {
        assertThat(queue.time()).isEqualTo(expected.poll());
        assertThat(queue.event()).isEqualTo(queue.time() * 3);
        queue.removeFirst();
      }
    }
    assertThat(queue.size()).isEqualTo(expected.size());
  }

  @Test
  void hasNoEventBeforeForEverWhileItIsEmpty() {
    EventQueue queue = new EventQueue();

    assertThat(queue.isEmpty()).isTrue();
    assertThat(queue.time()).isEqualTo(Long.MAX_VALUE);
  }
}
