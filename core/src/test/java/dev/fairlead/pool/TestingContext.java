package dev.fairlead.pool;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.DeviceWork;
import dev.fairlead.device.Fault;
import dev.fairlead.device.Slot;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A context that remembers on which threads it was opened, bound and closed, and who was inside.
 */
public final class TestingContext implements DeviceContext {
  private final Device device;
  private final TestingBehaviour behaviour;
  private final Thread openedOn = Thread.currentThread();
  private final List<Thread> boundOn = new CopyOnWriteArrayList<>();
  private final List<Thread> closedOn = new CopyOnWriteArrayList<>();
  private final AtomicInteger inside = new AtomicInteger();
  private volatile boolean closedUnderWork;
  private volatile boolean usedAfterClose;

  TestingContext(Device device, TestingBehaviour behaviour) {
    this.device = device;
    this.behaviour = behaviour;
  }

  public Device device() {
    return device;
  }

  public Thread openedOn() {
    return openedOn;
  }

  public List<Thread> boundOn() {
    return List.copyOf(boundOn);
  }

  /** One entry for each time that it was closed. */
  public List<Thread> closedOn() {
    return List.copyOf(closedOn);
  }

  /** Whether it was closed while work, a probe or a sample was inside. */
  public boolean closedUnderWork() {
    return closedUnderWork;
  }

  public boolean usedAfterClose() {
    return usedAfterClose;
  }

  @Override
  public void bind() {
    boundOn.add(Thread.currentThread());
  }

  @Override
  public <R, X extends Exception> R execute(DeviceWork<R, X> work, Slot slot) throws X {
    enter();
    try {
      R result = work.run(slot);
      behaviour.pace();
      return result;
    } finally {
      inside.decrementAndGet();
    }
  }

  @Override
  public Optional<Sample> sample() {
    enter();
    try {
      return behaviour.sample();
    } finally {
      inside.decrementAndGet();
    }
  }

  @Override
  public void probe() {
    behaviour.probe();
  }

  @Override
  public Fault classify(Throwable failure) {
    return behaviour.classify(failure);
  }

  @Override
  public void close() {
    behaviour.close();
    closedUnderWork |= inside.get() > 0;
    closedOn.add(Thread.currentThread());
  }

  private void enter() {
    inside.incrementAndGet();
    usedAfterClose |= !closedOn.isEmpty();
  }
}
