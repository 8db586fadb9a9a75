package dev.fairlead.compute;

import dev.fairlead.compute.driver.ComputeDriver;
import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.device.Device;
import dev.fairlead.device.Fault;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One generation of a device: its driver, and all that is open there. Every call of the driver goes
 * through here.
 *
 * <p>OPEN → POISONED → CLOSED, or OPEN → CLOSED. A failure that poisons the context or loses the
 * device is remembered: from then on everything is refused and the driver is not touched again but
 * to close it, since what a dead context owned can neither be used nor freed one by one.
 */
final class Realm {
  /** Something to ask of the driver. */
  interface Request<R> {
    R of(ComputeDriver driver);
  }

  private final Device device;
  private final ComputeDriver driver;
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private final Set<Resource> resources = ConcurrentHashMap.newKeySet();
  private final ConcurrentLinkedQueue<Resource> discarded = new ConcurrentLinkedQueue<>();
  private final AtomicLong numbers = new AtomicLong();
  private final Allocations allocations = new Allocations(this);
  private volatile @Nullable ComputeException poison;
  private volatile boolean closed;

  Realm(Device device, ComputeDriver driver) {
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
    ask(ready -> {
      ready.bind();
      return true;
    });
  }

  void unbind() {
    threads.remove(Thread.currentThread());
  }

  /** Asks the driver something, here and now. */
  <R> R ask(Request<R> request) {
    check();
    sweep();
    return answer(request);
  }

  /** The same with resources of this realm, which stay open meanwhile. */
  <R> R ask(List<? extends Resource> used, Request<R> request) {
    int held = 0;
    try {
      for (Resource each : used) {
        belongsHere(each);
        each.hold();
        held++;
      }
      return ask(request);
    } finally {
      for (Resource each : used.subList(0, held)) {
        each.letGo();
      }
    }
  }

  private <R> R answer(Request<R> request) {
    try {
      return request.of(driver);
    } catch (ComputeException failure) {
      if (failure.fault() == Fault.CONTEXT || failure.fault() == Fault.LOST) {
        poison(failure);
      }
      throw failure;
    }
  }

  private void poison(ComputeException failure) {
    poison = failure;
    // Whoever hears of it may do anything, and must not do it under the locks of this call.
    streams().forEach(stream -> Thread.startVirtualThread(() -> stream.fail(failure)));
  }

  private List<Stream> streams() {
    return resources.stream().filter(Stream.class::isInstance).map(Stream.class::cast).toList();
  }

  private void check() {
    if (closed) {
      throw stale("The context");
    }
    ComputeException reason = poison;
    if (reason != null) {
      throw new ComputeException.Poisoned(
          reason.fault(),
          "The context of %s is poisoned and refuses everything until it is rebuilt, since: %s"
              .formatted(device, reason.getMessage()),
          reason.driverError().orElse(null));
    }
    if (!threads.contains(Thread.currentThread())) {
      throw new ComputeException.WrongThread(
          "%s was called on \"%s\"; calls belong on the device's own threads: use Lease.run"
              .formatted(device, Thread.currentThread().getName()));
    }
  }

  private void belongsHere(Resource resource) {
    Realm other = resource.realm();
    if (!equals(other)) {
      throw other.device.id().equals(device.id())
          ? other.stale(resource.what())
          : new ComputeException.WrongDevice(
              "%s was used on %s: copy the data over the host".formatted(resource, device));
    }
  }

  private ComputeException stale(String what) {
    return new ComputeException.StaleGeneration(
        "%s belongs to an earlier generation of %s, which is gone: make it again"
            .formatted(what, device));
  }

  ComputeException goneBecauseClosed(Resource resource) {
    return closed
        ? stale(resource.what())
        : new ComputeException.Closed(resource + " was used after it had been closed");
  }

  // ---- resources

  long nextNumber() {
    return numbers.getAndIncrement();
  }

  /** Enters what was made, so that it goes with the realm at the latest. */
  <T extends Resource> T opened(T resource) {
    resources.add(resource);
    return resource;
  }

  /** Releases a resource that is closed and that nobody holds, or leaves it to the next call. */
  void discard(Resource resource) {
    if (closed || poison != null) {
      resources.remove(resource);
    } else if (threads.contains(Thread.currentThread())) {
      release(resource);
    } else {
      discarded.add(resource);
    }
    allocations.freed();
  }

  /** Releases what other threads have closed; true if there was something. */
  boolean sweep() {
    boolean some = false;
    for (Resource each = discarded.poll(); each != null; each = discarded.poll()) {
      release(each);
      some = true;
    }
    return some;
  }

  private void release(Resource resource) {
    if (resources.remove(resource)) {
      answer(ready -> {
        resource.release(ready);
        return true;
      });
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
    try {
      if (threads.add(Thread.currentThread())) {
        driver.bind();
      }
      List<Resource> left =
          resources.stream().sorted(Comparator.comparingLong(Resource::number).reversed()).toList();
      streams().forEach(stream -> stream.settle(poison == null));
      left.forEach(Resource::abandon);
      for (Resource each : left) {
        if (poison == null) {
          release(each);
        }
      }
      if (poison == null) {
        lastly.accept(driver);
      }
    } finally {
      closed = true;
      resources.clear();
      driver.close();
    }
  }
}
