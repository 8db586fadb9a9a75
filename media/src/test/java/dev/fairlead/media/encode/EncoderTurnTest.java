package dev.fairlead.media.encode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.media.settings.EncoderKind;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EncoderTurnTest {
  private static final int PATIENCE_SECONDS = 60;

  @Test
  void oneTurnFollowsTheOtherAndWhoeverWaitsGivesSigns() throws Exception {
    Semaphore turns = new Semaphore(1, true);
    CountDownLatch signs = new CountDownLatch(3);
    CompletableFuture<Boolean> next;
    try (EncoderTurn _ = EncoderTurn.take(turns, () -> {})) {
      next =
          CompletableFuture.supplyAsync(() -> {
            try (EncoderTurn _ = EncoderTurn.take(turns, signs::countDown)) {
              return true;
            } catch (InterruptedException interrupted) {
              throw new IllegalStateException(interrupted);
            }
          });
      assertThat(signs.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).as("signs").isTrue();
      assertThat(next).isNotDone();
      assertThatThrownBy(() -> EncoderTurn.take(turns, EncoderTurnTest::giveUp))
          .isInstanceOf(CancellationException.class);
    }
    assertThat(next.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(turns.availablePermits()).isOne();
  }

  private static void giveUp() {
    throw new CancellationException("Not wanted any more");
  }

  @Test
  void whereSeveralAreSafeNobodyWaits() throws Exception {
    try (EncoderTurn _ = EncoderTurn.take(EncoderKind.SVT_AV1, EncoderTurnTest::giveUp);
        EncoderTurn second = EncoderTurn.take(EncoderKind.SVT_AV1, EncoderTurnTest::giveUp)) {
      assertThat(second).isNotNull();
    }
  }
}
