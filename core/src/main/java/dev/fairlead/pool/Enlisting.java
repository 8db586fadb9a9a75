package dev.fairlead.pool;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceProvider;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Discovery.Problem;
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
final class Enlisting {
  private final DevicePool pool;
  private final WaitingRoom room;
  private final PoolMemory memory;
  private final Timing timing;
  private final boolean timed;
  private final List<Problem> problems = new ArrayList<>();
  private int indices;

  Enlisting(DevicePool pool, WaitingRoom room, PoolOptions options, PoolMemory memory) {
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
  Station at(int index) {
    return pool.fleet().stationAt(index, indices);
  }

  /**
   * Opens all devices at once, and adds those that open in time.
   *
   * @throws PoolException.NoDevices if none serves, and closes the pool
   */
  void open(Discovery discovery) {
    problems.addAll(discovery.problems());
    List<Station> stations =
        discovery.found().stream().map(found -> station(found.device(), found.provider())).toList();
    List<CompletableFuture<Void>> openings =
        stations.stream().map(station -> station.contexts().begin()).toList();
    long begun = System.nanoTime();
    for (int i = 0; i < stations.size(); i++) {
      enlist(stations.get(i), openings.get(i), System.nanoTime() - begun);
    }
    if (pool.fleet().stations().stream().allMatch(each -> each.ledger().has(LedgerWord.SHUT))) {
      pool.close();
      throw new PoolException.NoDevices(whyNone());
    }
  }

  private Station station(Device device, @Nullable DeviceProvider provider) {
    return new Station(pool, new Ledger(device, memory, timed), provider);
  }

  private long openingNanos() {
    return Timing.nanos(timing.opening());
  }

  /** Adds a device whose context has been opening for so long. */
  private void enlist(Station station, CompletableFuture<Void> opening, long elapsed) {
    try {
      station
          .contexts()
          .await(opening, Math.max(1, openingNanos() - elapsed))
          .ifPresent(reason -> problems.add(station.contexts().problem(reason)));
      enlist(station);
    } catch (CompletionException | PoolException.DuplicateDevice failure) {
      Throwable reason = failure.getCause() == null ? failure : failure.getCause();
      problems.add(station.contexts().problem(reason));
      // One that has not opened yet is closed by its own thread if it ever does.
      station.close(reason instanceof TimeoutException ? Duration.ZERO : timing.grace());
    }
  }

  private int enlist(Station station) {
    room.change(() -> {
      pool.checkOpen();
      Fleet fleet = pool.fleet();
      if (fleet.has(station.device().id())) {
        throw new PoolException.DuplicateDevice(
            "A device with the id " + station.device().id() + " is in the pool already");
      }
      int place = fleet.vacancy();
      station.ledger().settleAt(indices++, place, station);
      memory.floors().cover(place + 1);
      memory.queues().cover(place + 1);
      Fleet larger = fleet.with(station);
      pool.fleet(larger);
      memory
          .events()
          .tell(new PoolListener.Event.Added(station.device(), station.ledger().index()));
      larger.stations().forEach(each -> QueueMoves.refresh(each.ledger(), larger));
    });
    pool.taking().feed(station);
    return station.ledger().index();
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
    return enlist(station(device, null));
  }

  /**
   * Opens a context on the device and adds it.
   *
   * @throws PoolException.DidNotOpen if the backend has not opened it in time
   */
  int add(Discovery.Found found) {
    Station station = station(found.device(), found.provider());
    try {
      station.contexts().begin().orTimeout(openingNanos(), TimeUnit.NANOSECONDS).join();
      return enlist(station);
    } catch (RuntimeException failure) {
      boolean late = failure.getCause() instanceof TimeoutException;
      station.close(late ? Duration.ZERO : timing.grace());
      if (late) {
        throw new PoolException.DidNotOpen(found.device(), timing.opening());
      }
      throw failure.getCause() instanceof RuntimeException unchecked ? unchecked : failure;
    }
  }
}
