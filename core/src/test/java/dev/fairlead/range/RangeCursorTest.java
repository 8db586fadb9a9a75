package dev.fairlead.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class RangeCursorTest {

  @Test
  void yieldsEachIndexAndThenIsDoneHoweverOftenItIsAsked() {
    RangeCursor cursor = RangeCursor.of(3);

    assertThat(cursor.next()).isEqualTo(0);
    assertThat(cursor.next()).isEqualTo(1);
    assertThat(cursor.next()).isEqualTo(2);
    for (int i = 0; i < 1_000; i++) {
      assertThat(cursor.next()).isEqualTo(RangeCursor.DONE);
    }
    // Had calls past the end moved the position, a cursor could overflow and begin again.
    assertThat(cursor.remaining()).isZero();
    assertThat(cursor).hasToString("RangeCursor[3 of 3]");
  }

  @Test
  void isDoneAtOnceOverNothing() {
    assertThat(RangeCursor.of(0).next()).isEqualTo(RangeCursor.DONE);
  }

  @Test
  void startsAgainAfterAReset() {
    RangeCursor cursor = RangeCursor.of(1);
    cursor.next();
    cursor.next();

    cursor.reset();

    assertThat(cursor.remaining()).isEqualTo(1);
    assertThat(cursor.next()).isEqualTo(0);
    assertThat(cursor.next()).isEqualTo(RangeCursor.DONE);
  }

  @Test
  void isNotMovedByAnotherJobsCursor() {
    RangeCursor one = RangeCursor.of(10);
    RangeCursor other = RangeCursor.of(10);

    one.next();
    one.next();

    assertThat(other.next()).isEqualTo(0);
    assertThat(one.next()).isEqualTo(2);
    other.reset();
    assertThat(one.next()).isEqualTo(3);
  }

  @Test
  void isNotMovedBySplitting() {
    RangeCursor cursor = RangeCursor.of(10);
    cursor.next();

    Splitter.uniform().split(10, 3);
    Splitter.factoring(List.of(1.0, 2.0), 1).split(10, 2);

    assertThat(cursor.next()).isEqualTo(1);
    assertThat(cursor.remaining()).isEqualTo(8);
  }

  @Test
  void acceptsTheLargestTotalAndRefusesANegativeOne() {
    RangeCursor cursor = RangeCursor.of(Long.MAX_VALUE);
    assertThat(cursor.next()).isEqualTo(0);
    assertThat(cursor.remaining()).isEqualTo(Long.MAX_VALUE - 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RangeCursor.of(-5))
        .withMessage("total is negative: -5");
  }

  @Test
  void handsOutEachIndexOnceToThreadsThatRace() throws Exception {
    int threads = 4;
    int total = Boolean.getBoolean("fairlead.full") ? 20_000_000 : 400_000;
    RangeCursor cursor = RangeCursor.of(total);
    AtomicIntegerArray taken = new AtomicIntegerArray(total);
    CountDownLatch start = new CountDownLatch(threads);

    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<Future<Boolean>> rising = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        rising.add(executor.submit(() -> takeAll(cursor, taken, start)));
      }
      for (Future<Boolean> thread : rising) {
        assertThat(thread.get()).as("each thread sees rising indices").isTrue();
      }
    }

    for (int i = 0; i < total; i++) {
      if (taken.get(i) != 1) {
        assertThat(taken.get(i)).as("times that index %s was handed out", i).isEqualTo(1);
      }
    }
    assertThat(cursor.remaining()).isZero();
    assertThat(cursor.next()).isEqualTo(RangeCursor.DONE);
  }

  private static boolean takeAll(RangeCursor cursor, AtomicIntegerArray taken, CountDownLatch start)
      throws InterruptedException {
    start.countDown();
    start.await();
    boolean rising = true;
    long before = -1;
    for (long i = cursor.next(); i != RangeCursor.DONE; i = cursor.next()) {
      taken.incrementAndGet((int) i);
      rising &= i > before;
      before = i;
    }
    // Every thread keeps asking past the end while the others may still be taking.
    for (int i = 0; i < 1_000; i++) {
      rising &= cursor.next() == RangeCursor.DONE;
    }
    return rising;
  }
}
