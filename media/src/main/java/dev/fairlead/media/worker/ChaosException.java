package dev.fairlead.media.worker;

import dev.fairlead.media.wire.Chaos;
import dev.fairlead.media.wire.Failure;
import java.util.concurrent.CountDownLatch;
import org.bytedeco.javacpp.BytePointer;

/** A fault that was asked for. */
final class ChaosException extends RuntimeException {
  private static final int KILLED = 137;

  private final transient Failure failure;

  private ChaosException(Failure.Kind kind, String reason) {
    super(reason);
    this.failure = new Failure(kind, reason);
  }

  Failure failure() {
    return failure;
  }

  /** Makes the fault; returns if there is none to make, or if the encoder is to lie. */
  static void make(Chaos chaos) throws InterruptedException {
    switch (chaos) {
      case THROW ->
          throw new ChaosException(Failure.Kind.DEVICE, "The encoder threw, as chaos wanted");
      case OUT_OF_MEMORY ->
          throw new ChaosException(
              Failure.Kind.OUT_OF_MEMORY, "The device is out of memory, as chaos wanted");
      case LOST ->
          throw new ChaosException(Failure.Kind.LOST, "The device is lost, as chaos wanted");
      case HANG -> new CountDownLatch(1).await();
      case CRASH -> new Wild().put((byte) 0);
      case KILL -> Runtime.getRuntime().halt(KILLED);
      case NONE, LIE, GARBLE -> {}
    }
  }

  /** Memory that is not there: what a bug in native code touches. */
  private static final class Wild extends BytePointer {
    private static final long NOWHERE = 64;

    Wild() {
      address = NOWHERE;
    }
  }
}
