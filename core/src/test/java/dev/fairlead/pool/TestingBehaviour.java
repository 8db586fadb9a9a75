package dev.fairlead.pool;

import dev.fairlead.device.DeviceContext.Sample;
import dev.fairlead.device.Fault;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What a testing device does when it is opened, used, sampled and probed. Can change while it runs.
 */
public final class TestingBehaviour {
  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicInteger sampled = new AtomicInteger();
  private final AtomicInteger probed = new AtomicInteger();
  private volatile Runnable opening = () -> {};
  private volatile Runnable probing = () -> {};
  private volatile Runnable closing = () -> {};
  private volatile Runnable pacing = () -> {};
  private volatile Supplier<Optional<Sample>> sampling = Optional::empty;
  private volatile Function<Throwable, Fault> classifying = Fault::of;

  public TestingBehaviour opens(Runnable how) {
    opening = how;
    return this;
  }

  public TestingBehaviour probes(Runnable how) {
    probing = how;
    return this;
  }

  /** What passes on the device after each piece of work. */
  public TestingBehaviour paces(Runnable how) {
    pacing = how;
    return this;
  }

  public TestingBehaviour samples(Supplier<Optional<Sample>> how) {
    sampling = how;
    return this;
  }

  public TestingBehaviour hasFree(long bytes, int foreignStreams) {
    return samples(() -> Optional.of(new Sample(bytes, foreignStreams)));
  }

  public TestingBehaviour classifies(Function<Throwable, Fault> how) {
    classifying = how;
    return this;
  }

  public int opened() {
    return opened.get();
  }

  public int sampled() {
    return sampled.get();
  }

  public int probed() {
    return probed.get();
  }

  void open() {
    opened.incrementAndGet();
    opening.run();
  }

  void probe() {
    probed.incrementAndGet();
    probing.run();
  }

  /** Run when a context is closed, before that counts. */
  public TestingBehaviour closes(Runnable how) {
    closing = how;
    return this;
  }

  void close() {
    closing.run();
  }

  void pace() {
    pacing.run();
  }

  Optional<Sample> sample() {
    sampled.incrementAndGet();
    return sampling.get();
  }

  Fault classify(Throwable failure) {
    return classifying.apply(failure);
  }
}
