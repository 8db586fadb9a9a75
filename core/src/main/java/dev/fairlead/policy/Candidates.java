package dev.fairlead.policy;

import dev.fairlead.device.Device;

/**
 * The view that a placement policy decides on: devices by index, as they are at this moment for one
 * demand. Indices run from 0 to {@link #size}; some may be neither eligible nor available.
 *
 * <p>The local pool, the cluster's coordinator and the simulator each implement it. What policies
 * remember between decisions (whose turn it is, shares taken) belongs to the implementor and is
 * read here, so that a policy is a pure function.
 */
public interface Candidates {
  int size();

  /** What is to be placed. */
  Demand demand();

  Device device(int index);

  /** Free and total memory, outstanding items, streams of others and compute capability. */
  Load load(int index);

  /**
   * May be chosen now: eligible, healthy, and with room for the demand. Devices with a free slot
   * are; when none of them has one, submitted work may join a queue, and then those are whose queue
   * it may join. A policy that {@linkplain PlacementPolicy#weighsQueues weighs queues} is shown
   * both at once.
   */
  boolean available(int index);

  /** Could take the demand sooner or later: meets its hints and serves. */
  boolean eligible(int index);

  /**
   * How much is ahead of new work on the device, in items: what the pool has outstanding there,
   * streams of others, and a handicap after failures, so that a device that fails fast does not
   * look idle.
   */
  int burden(int index);

  /** All its slots are taken: new work would join its queue, or wait. */
  boolean full(int index);

  double weight(int index);

  /** Measured work per second of busy time; NaN while not measured. */
  double rate(int index);

  /** Seconds since the device last finished something; zero while it is busy or never did. */
  double idleSeconds(int index);

  /** Learned seconds for this demand on this device, transfer included; NaN while not learned. */
  double predictedSeconds(int index);

  /** Learned seconds until the device is done with what it has. */
  double backlogSeconds(int index);

  /** The share that the device has had: items so far ÷ weight, on a common scale. */
  double pass(int index);

  /** The highest share at which an item has been placed. */
  double horizon();

  /** Where round robin stands: the index after the one that was chosen last. */
  int turn();

  /** Where to begin looking among equals; differs from call to call. */
  int rotation();

  /** A random number in [0, 1); {@code which} gives independent ones within a decision. */
  double draw(int which);

  /**
   * The available candidate with the least burden as a {@link Choice}, the first in rotation among
   * equals. Implementors with many devices answer it from an index.
   */
  default long leastBurdened() {
    int size = size();
    long best = Choice.NONE;
    int least = Integer.MAX_VALUE;
    for (int step = 0, index = size == 0 ? 0 : rotation() % size;
        step < size && least > 0;
        step++) {
      if (available(index)) {
        int burden = burden(index);
        if (best == Choice.NONE || burden < least) {
          least = burden;
          best = Choice.of(index, least);
        }
      }
      index = index + 1 == size ? 0 : index + 1;
    }
    return best;
  }

  /**
   * The first index from {@code index} on that a search for the available candidate of the least
   * {@code rank} has to look at, given the least that it has found so far; {@link #size} if there
   * is none. Implementors with many devices pass over those that cannot be the one; this passes
   * over none.
   */
  default int next(int index, Rank rank, double found) {
    return index;
  }

  /** The mean rate of the available candidates that have one; NaN if none has. */
  default double typicalRate() {
    double sum = 0;
    int count = 0;
    for (int index = 0; index < size(); index++) {
      if (available(index) && !Double.isNaN(rate(index))) {
        sum += rate(index);
        count++;
      }
    }
    return count == 0 ? Double.NaN : sum / count;
  }

  /**
   * How fast a candidate is as far as is known: measured where there is a measure; else as fast as
   * is typical of the others; else its weight.
   */
  default double speed(int index, double typical) {
    double rate = rate(index);
    if (!Double.isNaN(rate)) {
      return rate;
    }
    return Double.isNaN(typical) ? weight(index) : typical;
  }

  /** The speed of all available candidates together. */
  default double totalSpeed(double typical) {
    double total = 0;
    for (int index = 0; index < size(); index++) {
      if (available(index)) {
        total += speed(index, typical);
      }
    }
    return total;
  }

  /**
   * The candidate at {@code point} when the available ones are laid end to end by speed, -1 if
   * there is none. Implementors with many devices answer this, the total and the typical rate from
   * an index.
   */
  default int atSpeed(double point, double typical) {
    int last = -1;
    double rest = point;
    for (int index = 0; index < size(); index++) {
      if (available(index)) {
        last = index;
        rest -= speed(index, typical);
        if (rest < 0) {
          return index;
        }
      }
    }
    return last;
  }
}
