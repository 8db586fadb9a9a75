package dev.fairlead.simulator.rule;

import dev.fairlead.device.Device;
import dev.fairlead.policy.Candidates;
import dev.fairlead.policy.Choice;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Load;
import dev.fairlead.policy.Rank;
import dev.fairlead.simulator.engine.Engine;
import dev.fairlead.simulator.engine.Knowledge;
import dev.fairlead.simulator.engine.Machines;
import dev.fairlead.simulator.engine.Tasks;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Virtual devices as candidates for one task, as the pool shows real ones. With stale news, what
 * was placed is known at once, what has ended only from the next poll on.
 */
final class PoolView implements Candidates {
  /** How a share moves; see {@link dev.fairlead.policy.Policies#start}. */
  interface Start {
    double of(double pass, double horizon, double weight);
  }

  private final Engine engine;
  private final Machines machines;
  private final Tasks tasks;
  private final Knowledge knowledge;
  private final boolean stale;
  private final long seed;
  private final int size;
  private final int[] outstanding;
  private final int[] known;
  private final long[] memory;
  private final double[] queuedSeconds;
  private final double[] passes;
  private final double[] weights;
  private final boolean[] open;
  private final BurdenIndex burdens;
  private @Nullable SpeedIndex speeds;
  private final RankIndexes ranks;
  private final FreeDevices free;
  private final RankIndexes readyRanks;
  private final FinishIndexes finishes;
  private double horizon;
  private int turn;
  private int rotation;
  private long decisions;
  private int task;
  private int avoided = Tasks.NONE;
  private boolean onlyReady;

  /** What this decision seeks the least of, and a rank that somebody has who is available. */
  private @Nullable Rank sought;

  private double limit;

  PoolView(Engine engine) {
    this.engine = engine;
    machines = engine.machines();
    tasks = engine.tasks();
    knowledge = engine.knowledge();
    stale = engine.scenario().conditions().staleSeconds() > 0;
    seed = engine.scenario().seed();
    size = machines.size();
    outstanding = new int[size];
    known = new int[size];
    memory = new long[size];
    queuedSeconds = new double[size];
    passes = new double[size];
    weights = new double[size];
    open = new boolean[size];
    burdens = new BurdenIndex(size);
    ranks = new RankIndexes(this, device -> open[device]);
    free = new FreeDevices(size);
    readyRanks = new RankIndexes(this, free::isReady);
    finishes = new FinishIndexes(this, engine);
    for (int device = 0; device < size; device++) {
      weights[device] = knowledge.devices().get(device).weight();
      refresh(device);
    }
  }

  /** The same for a task; {@code avoiding} the device that failed it. */
  PoolView of(int which, boolean avoiding) {
    task = which;
    avoided = avoiding ? tasks.failedOn(which) : Tasks.NONE;
    onlyReady = false;
    sought = null;
    return this;
  }

  /** The same, with nobody available but those that are free and have no handicap. */
  PoolView ofReady(int which, boolean avoiding) {
    of(which, avoiding);
    onlyReady = true;
    return this;
  }

  // ---- what changes

  private void take(int which, int device, Start start) {
    outstanding[device]++;
    known[device]++;
    memory[device] += tasks.memoryBytes(which);
    double from = start.of(passes[device], horizon, weights[device]);
    passes[device] = from + 1 / weights[device];
    horizon = Math.max(horizon, from);
  }

  void placed(int which, int device, Start start) {
    take(which, device, start);
    turn = device + 1;
    rotation = device + 1 == size ? 0 : device + 1;
    decisions++;
    refreshIndexes(device);
  }

  /** What stood in the line of one device runs on another: its share is given back there. */
  void moved(int which, int from, int to, Start start) {
    passes[from] -= 1 / weights[from];
    left(which, from);
    take(which, to, start);
    refreshIndexes(to);
  }

  void queued(int which, int device) {
    double seconds = knowledge.seconds(tasks.group(which), device, tasks.size(which));
    tasks.lineSeconds(which, Double.isNaN(seconds) ? 0 : seconds);
    queuedSeconds[device] += tasks.lineSeconds(which);
    refreshFinish(device);
  }

  void started(int which, int device) {
    queuedSeconds[device] = Math.max(0, queuedSeconds[device] - tasks.lineSeconds(which));
  }

  /** Less is to be done on the device; {@link #refreshFinish} has to follow. */
  void left(int which, int device) {
    outstanding[device]--;
    memory[device] -= tasks.memoryBytes(which);
    if (!stale) {
      known[device] = outstanding[device];
    }
    if (outstanding[device] == machines.running(device)) {
      queuedSeconds[device] = 0;
    }
    refreshIndexes(device);
  }

  void polled(int device) {
    known[device] = outstanding[device];
    refresh(device);
  }

  void refresh(int device) {
    refreshIndexes(device);
    refreshFinish(device);
  }

  private void refreshIndexes(int device) {
    boolean isOpen = !machines.isShut(device, outstanding[device]);
    int handicap = machines.handicap(device);
    open[device] = isOpen;
    if (isOpen) {
      burdens.put(device, known[device] + handicap);
    } else {
      burdens.remove(device);
    }
    boolean isFree = isOpen && !full(device);
    free.put(device, isFree, isFree && handicap == 0, known[device]);
    if (speeds != null) {
      speeds.put(device, isOpen, machines.rate(device), weights[device]);
    }
    ranks.refresh(device);
    readyRanks.refresh(device);
  }

  /** What is to be done on the device has changed, or is more than it seemed. */
  void refreshFinish(int device) {
    finishes.refresh(device);
  }

  // ---- what others are told

  FreeDevices free() {
    return free;
  }

  int outstanding(int device) {
    return outstanding[device];
  }

  /** What is ahead of new work on the device; null if it takes none. */
  FinishIndex.@Nullable Line line(int device) {
    int slots = machines.slots(device);
    return !open[device]
        ? null
        : new FinishIndex.Line(
            full(device),
            full(device) ? freshBacklog(device, slots) : 0,
            (double) (known[device] - outstanding[device]) / slots);
  }

  /** Whether a free device may run a task that stands in another's line. */
  boolean admits(int which, int device) {
    return tasks.failedOn(which) != device && fits(which, device);
  }

  // ---- what policies read

  @Override
  public int size() {
    return size;
  }

  @Override
  public Demand demand() {
    return Demand.of(engine.scenario().workload().kinds().get(tasks.group(task)), tasks.size(task))
        .withMemory(tasks.memoryBytes(task));
  }

  @Override
  public Device device(int index) {
    return knowledge.devices().get(index);
  }

  @Override
  public Load load(int index) {
    long total = machines.spec(index).limits().memoryBytes();
    return new Load(
        Math.max(0, total - memory[index]), total, known[index], 0, null, Duration.ZERO, 0);
  }

  @Override
  public boolean available(int index) {
    return eligible(index) && (!onlyReady || free.isReady(index)) && fits(task, index);
  }

  private boolean fits(int which, int index) {
    var limits = machines.spec(index).limits();
    return outstanding[index] < limits.sessions()
        && memory[index] <= limits.memoryBytes() - tasks.memoryBytes(which);
  }

  @Override
  public boolean eligible(int index) {
    return open[index] && index != avoided;
  }

  @Override
  public int burden(int index) {
    return known[index] + machines.handicap(index);
  }

  /** As far as is known: that something has ended may not have been heard of. */
  @Override
  public boolean full(int index) {
    return known[index] >= machines.slots(index);
  }

  @Override
  public double weight(int index) {
    return weights[index];
  }

  @Override
  public double rate(int index) {
    return machines.rate(index);
  }

  @Override
  public double idleSeconds(int index) {
    return machines.idleSeconds(index, engine.now());
  }

  @Override
  public double predictedSeconds(int index) {
    return knowledge.seconds(tasks.group(task), index, tasks.size(task));
  }

  @Override
  public double backlogSeconds(int index) {
    int slots = machines.slots(index);
    double fresh = freshBacklog(index, slots);
    // What has ended meanwhile is not known to have.
    int unheard = known[index] - outstanding[index];
    return unheard == 0 ? fresh : fresh + unheard * predictedSeconds(index) / slots;
  }

  private double freshBacklog(int index, int slots) {
    return (queuedSeconds[index] + machines.runningSeconds(index, engine.now())) / slots;
  }

  @Override
  public double pass(int index) {
    return passes[index];
  }

  @Override
  public double horizon() {
    return horizon;
  }

  @Override
  public int turn() {
    return turn;
  }

  @Override
  public int rotation() {
    return rotation;
  }

  @Override
  public double draw(int which) {
    long mixed = seed + 0x9e3779b97f4a7c15L * (1 + which + 4 * decisions);
    mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return ((mixed ^ (mixed >>> 31)) >>> 11) * 0x1p-53;
  }

  @Override
  public long leastBurdened() {
    long choice = first(burdens);
    if (!Choice.isPlaced(choice) && onlyReady) {
      choice = first(free.readyByBurden(known));
    }
    return Choice.isPlaced(choice) || burdens.lowest() == BurdenIndex.LEVELS
        ? choice
        : Candidates.super.leastBurdened();
  }

  /** The first in rotation of the lowest level, if it is available. */
  private long first(BurdenIndex index) {
    int level = index.lowest();
    if (level < BurdenIndex.LEVELS - 1) {
      int found = index.first(level, rotation);
      if (available(found)) {
        return Choice.of(found, level);
      }
    }
    return Choice.NONE;
  }

  @Override
  public int next(int index, Rank rank, double found) {
    boolean begins = !rank.equals(sought);
    sought = rank;
    return switch (rank) {
      case Rank.Steady steady -> {
        RankIndex ranking = (onlyReady ? readyRanks : ranks).by(steady);
        limit = begins ? ranking.least() : limit;
        yield ranking.next(index, found, limit);
      }
      case Rank.Finish finish when onlyReady -> index;
      case Rank.Finish finish -> {
        FinishIndex finishing = finishes.of(tasks.group(task), finish);
        if (begins) {
          finishing.seek(engine.now() / 1e9, tasks.size(task));
          limit = finishing.soonest();
        }
        yield finishing.next(index, found, limit);
      }
    };
  }

  @Override
  public double typicalRate() {
    return onlyReady ? Candidates.super.typicalRate() : speeds().typical();
  }

  @Override
  public double totalSpeed(double typical) {
    return onlyReady ? Candidates.super.totalSpeed(typical) : speeds().total(typical);
  }

  @Override
  public int atSpeed(double point, double typical) {
    if (onlyReady) {
      return Candidates.super.atSpeed(point, typical);
    }
    int found = speeds().at(point, typical);
    return found < 0 || available(found) ? found : Candidates.super.atSpeed(point, typical);
  }

  /** Kept from its first use on, since it costs something at each end. */
  private SpeedIndex speeds() {
    SpeedIndex index = speeds;
    if (index == null) {
      index = new SpeedIndex(size);
      speeds = index;
      for (int device = 0; device < size; device++) {
        refresh(device);
      }
    }
    return index;
  }
}
