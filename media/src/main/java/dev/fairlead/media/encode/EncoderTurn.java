package dev.fairlead.media.encode;

import dev.fairlead.media.av.Ffmpeg;
import dev.fairlead.media.settings.EncoderKind;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The right to have an encoder. SVT-AV1 before version 4 is not safe with several in a process: one
 * that opens clears tables that the others read. There it is one turn after the other, in the order
 * in which they were asked for.
 */
final class EncoderTurn implements AutoCloseable {
  private static final long LOOK_MILLIS = 100;
  private static final Semaphore ONE = new Semaphore(1, true);

  private final Semaphore turns;

  private EncoderTurn(Semaphore turns) {
    this.turns = turns;
  }

  /**
   * Waits for a turn.
   *
   * @param waiting called now and then meanwhile; may throw, to give up
   */
  static EncoderTurn take(EncoderKind kind, Runnable waiting) throws InterruptedException {
    boolean alone = kind == EncoderKind.SVT_AV1 && !Ffmpeg.isSafeWithSeveralSvt();
    return take(alone ? ONE : new Semaphore(1), waiting);
  }

  static EncoderTurn take(Semaphore turns, Runnable waiting) throws InterruptedException {
    while (!turns.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
      waiting.run();
    }
    return new EncoderTurn(turns);
  }

  @Override
  public void close() {
    turns.release();
  }
}
