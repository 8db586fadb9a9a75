package dev.fairlead.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.pool.Eventually;
import dev.fairlead.pool.Woven;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

class InFlightLimitTest {
  /** The only place is given back as a newcomer is about to announce that it waits. */
  private static final class LeftAsItIsAnnounced implements Callable<Boolean> {
    @Override
    public Boolean call() throws Exception {
      InFlightLimit narrow = new InFlightLimit(1);
      narrow.enter();
      var next = Eventually.start(() -> narrow.enter(Long.MAX_VALUE));
      Woven.seam().awaitReached();
      narrow.leave();
      Woven.seam().letGo();
      return next.result();
    }
  }

  @Test
  void aPlaceThatIsGivenBackBeforeTheAnnouncementIsSeenAfterIt() throws Exception {
    Callable<Boolean> left =
        Woven.<Callable<Boolean>>heldBefore(
            "InFlightLimit", "enterLater", "waiting", LeftAsItIsAnnounced.class);
    assertThat(left.call()).isTrue();
  }

  /** Both wait for the same signal; one that reaches only the first of them is lost. */
  @Test
  void aPlaceThatIsGivenBackReachesANewcomerBehindOneThatWaitsForAll() throws Exception {
    InFlightLimit narrow = new InFlightLimit(1);
    narrow.enter();
    var closing =
        Eventually.start(() -> {
          narrow.awaitEmpty();
          return true;
        });
    closing.isWaiting();
    var next = Eventually.start(() -> narrow.enter(Long.MAX_VALUE));
    next.isWaiting();
    narrow.leave();
    assertThat(next.result()).isTrue();
    narrow.leave();
    assertThat(closing.result()).isTrue();
  }
}
