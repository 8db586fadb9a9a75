package dev.fairlead.compute;

import dev.fairlead.compute.driver.ComputeDriver;
import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.device.Device;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One generation of a device: its driver, and all that is open there. Every call of the driver goes
 * through here.
 *
 * <p>OPEN → POISONED → CLOSED, or OPEN → CLOSED. A failure that poisons the context or loses the
 * device is remembered: from then on everything is refused and the driver is not touched again but
 * to close it, since what a dead context owned can neither be used nor freed one by one. The first
 * such failure counts; what other threads meet on their way out of the driver follows from it.
 */
final class DriverSession {
  /** Something to ask of the driver. */
  interface Request<R> {
    R of(ComputeDriver driver);
  }

  /** How long a copy to another device may hold up the end of a session. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Device device;
  private final ComputeDriver driver;
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  /** Threads of callers that use the context for a while, with the number of their scopes. */
  private final Map<Thread, Integer> visitors = new ConcurrentHashMap<>();

  private final Set<DriverResource> resources = ConcurrentHashMap.newKeySet();
  private final ConcurrentLinkedQueue<DriverResource> discarded = new ConcurrentLinkedQueue<>();
  private final AtomicLong numbers = new AtomicLong();
  private final Allocations allocations = new Allocations(this);

  /** Held for reading by threads of other devices that are inside, for writing by the end. */
  private final ReentrantReadWriteLock guests = new ReentrantReadWriteLock();

  private final AtomicReference<@Nullable ComputeException> poison = new AtomicReference<>();
  private volatile boolean closed;

  DriverSession(Device device, ComputeDriver driver) {
    this.device = device;
    this.driver = driver;
  }

  Device device() {
    return device;
  }

  /** The driver, for what may be asked on any thread. */
  ComputeDriver driver() {
    return driver;
  }

  Allocations allocations() {
    return allocations;
  }

  /** Whether another thread than this one has buffers here, which it may yet free. */
  boolean othersHaveBuffers() {
    return resources.stream()
        .anyMatch(each -> each instanceof DeviceBuffer buffer && !buffer.isMine());
  }

  int openResources() {
    return resources.size();
  }

  /** Makes the current thread one of the device's own. */
  void bind() {
    threads.add(Thread.currentThread());
    driver.settle();
    ask(DriverSession::bound);
  }

  void unbind() {
    threads.remove(Thread.currentThread());
  }

  /**
   * Lets the current thread, which is a caller's, use the context until it leaves; may be nested.
   */
  void visit() {
    requireSound();
    answer(driver -> {
      driver.bindGuest();
      return true;
    });
    visitors.merge(Thread.currentThread(), 1, Integer::sum);
  }

  /** Whether the current thread is a visitor in its outermost scope. */
  boolean isLastVisit() {
    Thread thread = Thread.currentThread();
    return visitors.getOrDefault(thread, 0) == 1 && !threads.contains(thread);
  }

  /** Ends a visit. What a poisoned context has left on the thread is not worth a complaint. */
  void leave() {
    visitors.computeIfPresent(
        Thread.currentThread(), (thread, scopes) -> scopes == 1 ? null : scopes - 1);
    try {
      driver.unbind();
    } catch (ComputeException failure) {
      if (isSound()) {
        throw failure;
      }
    }
  }

  private boolean isAllowed(Thread thread) {
    return threads.contains(thread) || visitors.containsKey(thread);
  }

  /** Asks the driver something, here and now. */
  <R> R ask(Request<R> request) {
    check();
    sweep();
    return answer(request);
  }

  /** The same with resources of this session, which stay open meanwhile. */
  <R> R ask(List<? extends DriverResource> used, Request<R> request) {
    int held = 0;
    try {
      for (DriverResource each : used) {
        belongsHere(each);
        each.hold();
        held++;
      }
      return ask(request);
    } finally {
      for (DriverResource each : used.subList(0, held)) {
        each.letGo();
      }
    }
  }

  /**
   * Does something with what is here on a thread of another device. The session does not close
   * meanwhile.
   */
  void hosting(Runnable visit) {
    if (!guests.readLock().tryLock()) {
      throw stale("The context");
    }
    try {
      visit.run();
    } finally {
      guests.readLock().unlock();
    }
  }

  /**
   * Asks the driver something on a thread of another device, inside {@link #hosting}; the thread is
   * one of this device's own meanwhile.
   *
   * @param home the session of that thread
   */
  <R> R askAsGuest(DriverSession home, Request<R> request) {
    boolean guest = threads.add(Thread.currentThread());
    try {
      check();
      answer(DriverSession::bound);
      return ask(request);
    } finally {
      if (guest) {
        threads.remove(Thread.currentThread());
      }
      home.answer(DriverSession::bound);
    }
  }

  private static boolean bound(ComputeDriver driver) {
    driver.bind();
    return true;
  }

  private <R> R answer(Request<R> request) {
    try {
      return request.of(driver);
    } catch (ComputeException failure) {
      if (failure.poisons()) {
        poison(failure);
      }
      throw failure;
    }
  }

  private void poison(ComputeException failure) {
    if (!poison.compareAndSet(null, failure)) {
      return;
    }
    // Whoever hears of it may do anything, and must not do it under the locks of this call.
    streams().forEach(stream -> Thread.startVirtualThread(() -> stream.fail(failure)));
  }

  /** What has poisoned the context; null if it is sound. */
  @Nullable ComputeException poison() {
    return poison.get();
  }

  private boolean isSound() {
    return poison.get() == null;
  }

  private List<Stream> streams() {
    return resources.stream().filter(Stream.class::isInstance).map(Stream.class::cast).toList();
  }

  private void check() {
    requireSound();
    if (!isAllowed(Thread.currentThread())) {
      throw new ComputeException.WrongThread(
          ("%s was called on \"%s\"; calls belong on the device's own threads: use Lease.run, or"
                  + " bind the context here by DevicePool.context")
              .formatted(device, Thread.currentThread().getName()));
    }
  }

  /** Throws if the context is closed or poisoned. */
  void requireSound() {
    if (closed) {
      throw stale("The context");
    }
    ComputeException reason = poison.get();
    if (reason != null) {
      throw new ComputeException.Poisoned(
          reason.fault(),
          "The context of %s is poisoned and refuses everything until it is rebuilt, since: %s"
              .formatted(device, reason.getMessage()),
          reason.driverError().orElse(null));
    }
  }

  private void belongsHere(DriverResource resource) {
    DriverSession other = resource.session();
    if (!equals(other)) {
      throw other.device.id().equals(device.id())
          ? other.stale(resource.what())
          : new ComputeException.WrongDevice(
              "%s was used on %s: bring the data there, by Stream.copy to a buffer that is there"
                  .formatted(resource, device));
    }
  }

  private ComputeException stale(String what) {
    return new ComputeException.StaleGeneration(
        "%s belongs to an earlier generation of %s, which is gone: make it again"
            .formatted(what, device));
  }

  ComputeException goneBecauseClosed(DriverResource resource) {
    return closed
        ? stale(resource.what())
        : new ComputeException.Closed(resource + " was used after it had been closed");
  }

  // ---- resources

  long nextNumber() {
    return numbers.getAndIncrement();
  }

  /** Enters what was made, so that it goes with the session at the latest. */
  <T extends DriverResource> T opened(T resource) {
    resources.add(resource);
    return resource;
  }

  /** Releases a resource that is closed and that nobody holds, or leaves it to the next call. */
  void discard(DriverResource resource) {
    if (closed || !isSound()) {
      resources.remove(resource);
    } else if (isAllowed(Thread.currentThread())) {
      release(resource);
    } else {
      discarded.add(resource);
      allocations.discarded();
    }
  }

  /** Releases what other threads have closed; true if there was something. */
  boolean sweep() {
    boolean some = false;
    for (DriverResource each = discarded.poll(); each != null; each = discarded.poll()) {
      release(each);
      some = true;
    }
    return some;
  }

  private void release(DriverResource resource) {
    allocations.freeing();
    try {
      if (resources.remove(resource)) {
        answer(ready -> {
          resource.release(ready);
          return true;
        });
      }
    } finally {
      allocations.freed();
    }
  }

  /**
   * Releases all that is still open, the newest first, and closes the driver. A poisoned driver is
   * closed as it is.
   *
   * @param lastly what else there is to release, once nothing is open any more
   */
  void close(Consumer<ComputeDriver> lastly) {
    if (closed) {
      return;
    }
    if (!guestsLeft()) {
      closed = true;
      throw new IllegalStateException(
          "Another device still copies from %s: its context is left open".formatted(device));
    }
    try {
      if (threads.add(Thread.currentThread())) {
        driver.bind();
      }
      List<DriverResource> left =
          resources.stream()
              .sorted(Comparator.comparingLong(DriverResource::number).reversed())
              .toList();
      streams().forEach(stream -> stream.settle(isSound()));
      left.forEach(DriverResource::abandon);
      for (DriverResource each : left) {
        if (isSound()) {
          release(each);
        }
      }
      if (isSound()) {
        lastly.accept(driver);
      }
    } finally {
      closed = true;
      resources.clear();
      driver.close();
      guests.writeLock().unlock();
    }
  }

  private boolean guestsLeft() {
    try {
      return guests.writeLock().tryLock(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return guests.writeLock().tryLock();
    }
  }
}
