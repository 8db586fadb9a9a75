package dev.fairlead.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.pool.Eventually;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What becomes of a device's lock that a thread has left taken, as one whose stack overflowed. */
class LostLockTest {
  private static final class Word extends LedgerWord {}

  private final Word word = new Word();

  @Test
  void theThreadThatLeftItTakenGetsItAgain() throws Exception {
    var thread =
        Eventually.start(() -> {
          word.publish(7, 0);
          word.lock();
          return LedgerWord.burden(word.lock());
        });
    assertThat(thread.result()).isEqualTo(7);
  }

  @Test
  void othersGetItOnceItsOwnerHasEnded() throws Exception {
    Eventually.start(word::lock).result();
    assertThat(Eventually.start(word::lock).result()).isZero();
  }

  @Test
  void anOwnerThatIsStillInsideKeepsIt() throws Exception {
    CountDownLatch locked = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    var holder =
        Eventually.start(() -> {
          word.lock();
          locked.countDown();
          end.await();
          return 1;
        });
    Eventually.open(locked);
    // The holder's frames are those of a test in this package, so it counts as inside.
    var waiter = Eventually.start(word::lock);
    waiter.isWaiting();
    assertThat(waiter.future()).isNotDone();
    end.countDown();
    holder.result();
    assertThat(waiter.result()).isZero();
  }
}
