package dev.fairlead.media.prepare;

import dev.fairlead.media.supervise.FailedException;
import dev.fairlead.media.wire.Failure;
import java.time.Duration;

/**
 * Asks again where a driver has no session left at present, for a while: other programs may give
 * one back.
 *
 * @param tries how often it asks in all
 * @param pause what it waits in between
 * @param sleep how it waits
 */
record SessionWait(int tries, Duration pause, Sleep sleep) {
  /** A way to wait. */
  interface Sleep {
    void sleep(Duration time) throws InterruptedException;
  }

  /** Something to ask of a worker that may need a session. */
  interface Question<R> {
    R ask() throws InterruptedException;
  }

  /** Ten seconds. */
  static SessionWait usual() {
    return new SessionWait(21, Duration.ofMillis(500), Thread::sleep);
  }

  /**
   * The answer.
   *
   * @throws FailedException that is not for lack of a session, or if there has been none all along
   */
  <R> R ask(Question<R> question) throws InterruptedException {
    for (int left = tries; ; left--) {
      try {
        return question.ask();
      } catch (FailedException failed) {
        if (failed.failure().kind() != Failure.Kind.BUSY || left <= 1) {
          throw failed;
        }
        sleep.sleep(pause);
      }
    }
  }
}
