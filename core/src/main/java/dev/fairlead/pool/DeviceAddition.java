package dev.fairlead.pool;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceProvider;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Discovery.Problem;
import dev.fairlead.event.PoolListener;
import dev.fairlead.lease.PoolException;
import dev.fairlead.ledger.Ledger;
import dev.fairlead.ledger.LedgerWord;
import dev.fairlead.ledger.QueueMoves;
import dev.fairlead.placing.Fleet;
import dev.fairlead.run.DeviceRuntime;
import dev.fairlead.shared.PolicyState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How devices come into a pool: their contexts are opened, they get an index and a place, and those
 * that cannot be used are noted with the reason.
 */
final class DeviceAddition {
  private final PoolCore pool;
  private final WaitingRoom room;
  private final PolicyState memory;
  private final Timing timing;
  private final boolean timed;
  private final List<Problem> problems = new ArrayList<>();
  private int indices;

  DeviceAddition(PoolCore pool, WaitingRoom room, PoolOptions options, PolicyState memory) {
    this.pool = pool;
    this.room = room;
    this.memory = memory;
    this.timing = options.timing();
    this.timed = options.ticker().runs();
  }

  /** What was found but cannot be used, and why. */
  List<Problem> problems() {
    return List.copyOf(problems);
  }

  /** Why no device can be used, in sentences. */
  private String whyNone() {
    return problems.isEmpty()
        ? "No device can be used: none was found. Look for others with Discovery.find"
        : problems.stream()
            .map(problem -> problem.toString().strip())
            .map(text -> text.endsWith(".") ? text.substring(0, text.length() - 1) : text)
            .collect(Collectors.joining(". ", "No device can be used. ", ""));
  }

  /** The device that was given this index. */
  DeviceRuntime at(int index) {
    return pool.fleet().runtimeAt(index, indices);
  }

  /**
   * Opens all devices at once, and adds those that open in time.
   *
   * @throws PoolException.NoDevices if none serves
   */
  void open(Discovery discovery) {
    problems.addAll(discovery.problems());
    List<DeviceRuntime> runtimes =
        discovery.found().stream().map(found -> runtime(found.device(), found.provider())).toList();
    List<CompletableFuture<Void>> openings =
        runtimes.stream().map(runtime -> runtime.contexts().begin()).toList();
    long begun = System.nanoTime();
    for (int i = 0; i < runtimes.size(); i++) {
      add(runtimes.get(i), openings.get(i), System.nanoTime() - begun);
    }
    if (pool.fleet().runtimes().stream().allMatch(each -> each.ledger().has(LedgerWord.SHUT))) {
      throw new PoolException.NoDevices(whyNone());
    }
  }

  private DeviceRuntime runtime(Device device, @Nullable DeviceProvider provider) {
    return new DeviceRuntime(pool.endings(), new Ledger(device, memory, timed), provider);
  }

  private long openingNanos() {
    return Timing.nanos(timing.opening());
  }

  /** Adds a device whose context has been opening for so long. */
  private void add(DeviceRuntime runtime, CompletableFuture<Void> opening, long elapsed) {
    try {
      runtime
          .contexts()
          .await(opening, Math.max(1, openingNanos() - elapsed))
          .ifPresent(reason -> problems.add(runtime.contexts().problem(reason)));
      add(runtime);
    } catch (CompletionException | PoolException.DuplicateDevice failure) {
      Throwable reason = failure.getCause() == null ? failure : failure.getCause();
      problems.add(runtime.contexts().problem(reason));
      // One that has not opened yet is closed by its own thread if it ever does.
      runtime.close(reason instanceof TimeoutException ? Duration.ZERO : timing.grace());
    }
  }

  private int add(DeviceRuntime runtime) {
    room.change(() -> {
      pool.checkOpen();
      Fleet fleet = pool.fleet();
      if (fleet.has(runtime.device().id())) {
        throw new PoolException.DuplicateDevice(
            "A device with the id " + runtime.device().id() + " is in the pool already");
      }
      int place = fleet.vacancy();
      runtime.ledger().settleAt(indices++, place, runtime);
      memory.floors().cover(place + 1);
      memory.queues().cover(place + 1);
      Fleet larger = fleet.with(runtime);
      // Before a thread can place work there: what happens on a device is told after its coming.
      memory
          .events()
          .tell(new PoolListener.Event.Added(runtime.device(), runtime.ledger().index()));
      pool.fleet(larger);
      larger.runtimes().forEach(each -> QueueMoves.refresh(each.ledger(), larger::reachOf));
    });
    pool.stealing().feed(runtime);
    // A listener may have looked for the device between its coming and this moment.
    memory.events().tellFreed(runtime.device());
    return runtime.ledger().index();
  }

  /** Adds devices without contexts, at least one. */
  void addAll(List<Device> devices) {
    if (devices.isEmpty()) {
      throw new PoolException.EmptySelection("The list of devices is empty: name at least one");
    }
    devices.forEach(this::add);
  }

  /** Adds a device without a context. */
  int add(Device device) {
    return add(runtime(device, null));
  }

  /**
   * Opens a context on the device and adds it.
   *
   * @throws PoolException.DidNotOpen if the backend has not opened it in time
   */
  int add(Discovery.Found found) {
    DeviceRuntime runtime = runtime(found.device(), found.provider());
    try {
      runtime.contexts().begin().orTimeout(openingNanos(), TimeUnit.NANOSECONDS).join();
      return add(runtime);
    } catch (RuntimeException failure) {
      boolean late = failure.getCause() instanceof TimeoutException;
      runtime.close(late ? Duration.ZERO : timing.grace());
      if (late) {
        throw new PoolException.DidNotOpen(found.device(), timing.opening());
      }
      throw failure.getCause() instanceof RuntimeException unchecked ? unchecked : failure;
    }
  }
}
