package dev.fairlead.policy;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Candidates whose every figure a test sets. {@link #place} also does what a pool does after a
 * choice: it moves the turn, the rotation and the shares on.
 */
final class TestingCandidates implements Candidates {
  private final List<Candidate> candidates;
  private final SplittableRandom random = new SplittableRandom(7_919);
  private double[] draws = {};
  private int turn;
  private int rotation;
  private double horizon;
  private int rise;

  /** One device: idle, not measured, of weight one. */
  static final class Candidate {
    private boolean available = true;
    private boolean eligible = true;
    private int burden;
    private double weight = 1;
    private double rate = Double.NaN;
    private double idleSeconds;
    private double predictedSeconds = Double.NaN;
    private double backlogSeconds;
    private double pass;

    /** Could take the work some day, but not now. */
    Candidate full() {
      available = false;
      return this;
    }

    Candidate ineligible() {
      available = false;
      eligible = false;
      return this;
    }

    Candidate free() {
      available = true;
      eligible = true;
      return this;
    }

    Candidate burden(int items) {
      burden = items;
      return this;
    }

    Candidate weight(double value) {
      weight = value;
      return this;
    }

    Candidate rate(double perSecond) {
      rate = perSecond;
      return this;
    }

    Candidate idle(double seconds) {
      idleSeconds = seconds;
      return this;
    }

    /** Learned figures: for this work, and for what the device still has to do. */
    Candidate learned(double predicted, double backlog) {
      predictedSeconds = predicted;
      backlogSeconds = backlog;
      return this;
    }
  }

  private TestingCandidates(int size) {
    candidates = IntStream.range(0, size).mapToObj(index -> new Candidate()).toList();
  }

  static TestingCandidates of(int size) {
    return new TestingCandidates(size);
  }

  static TestingCandidates weighing(double... weights) {
    TestingCandidates all = of(weights.length);
    for (int index = 0; index < weights.length; index++) {
      all.candidate(index).weight(weights[index]);
    }
    return all;
  }

  static TestingCandidates measuring(double... rates) {
    TestingCandidates all = of(rates.length);
    for (int index = 0; index < rates.length; index++) {
      all.candidate(index).rate(rates[index]);
    }
    return all;
  }

  Candidate candidate(int index) {
    return candidates.get(index);
  }

  TestingCandidates turn(int value) {
    turn = value;
    return this;
  }

  TestingCandidates rotation(int value) {
    rotation = value;
    return this;
  }

  /** Every device gets busier each time that somebody looks. */
  TestingCandidates risingFrom(int burden) {
    candidates.forEach(each -> each.burden = burden);
    rise = 1;
    return this;
  }

  /** What is drawn from now on, instead of seeded random numbers. */
  TestingCandidates drawing(double... values) {
    draws = values.clone();
    return this;
  }

  /** The index that the policy chooses, remembered as a pool would; -1 if it does not place. */
  int place(PlacementPolicy policy) {
    long choice = policy.place(this);
    if (!Choice.isPlaced(choice)) {
      return -1;
    }
    int index = Choice.index(choice);
    Candidate chosen = candidate(index);
    turn = index + 1;
    rotation = index + 1;
    double start = Policies.start(chosen.pass, horizon, chosen.weight);
    chosen.pass = start + 1 / chosen.weight;
    horizon = Math.max(horizon, start);
    return index;
  }

  /** The same, and the item stays outstanding. */
  int placeAndHold(PlacementPolicy policy) {
    int index = place(policy);
    if (index >= 0) {
      candidate(index).burden++;
    }
    return index;
  }

  int[] place(PlacementPolicy policy, int times) {
    return IntStream.range(0, times).map(each -> place(policy)).toArray();
  }

  /** How often each device is chosen, one call after the other. */
  int[] counts(PlacementPolicy policy, int times) {
    int[] counts = new int[size()];
    Arrays.stream(place(policy, times)).forEach(index -> counts[index]++);
    return counts;
  }

  @Override
  public Demand demand() {
    return Demand.any();
  }

  @Override
  public Device device(int index) {
    return Device.of(DeviceKind.SIMULATED, index);
  }

  @Override
  public Load load(int index) {
    return new Load(0, 0, burden(index), 0, null, Duration.ZERO, 0);
  }

  @Override
  public int size() {
    return candidates.size();
  }

  @Override
  public boolean available(int index) {
    return candidate(index).available;
  }

  /** Devices have one slot. */
  @Override
  public boolean full(int index) {
    return !candidate(index).available || candidate(index).burden > 0;
  }

  @Override
  public boolean eligible(int index) {
    return candidate(index).eligible;
  }

  @Override
  public int burden(int index) {
    int burden = candidate(index).burden;
    candidate(index).burden += rise;
    return burden;
  }

  @Override
  public double weight(int index) {
    return candidate(index).weight;
  }

  @Override
  public double rate(int index) {
    return candidate(index).rate;
  }

  @Override
  public double idleSeconds(int index) {
    return candidate(index).idleSeconds;
  }

  @Override
  public double predictedSeconds(int index) {
    return candidate(index).predictedSeconds;
  }

  @Override
  public double backlogSeconds(int index) {
    return candidate(index).backlogSeconds;
  }

  @Override
  public double pass(int index) {
    return candidate(index).pass;
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
    return draws.length == 0 ? random.nextDouble() : draws[which];
  }
}
