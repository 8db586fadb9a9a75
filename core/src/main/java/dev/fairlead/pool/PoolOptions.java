package dev.fairlead.pool;

import dev.fairlead.event.PoolListener;
import dev.fairlead.policy.PlacementPolicy;
import dev.fairlead.policy.Policies;
import dev.fairlead.stats.CostModel;
import dev.fairlead.stats.Ticker;
import java.util.Map;

/**
 * How a pool behaves.
 *
 * @param hostLimits named resources that all devices share, such as encoder sessions on some cards
 * @param listener hears of every event from the first one on, as if it had subscribed before that
 * @param seed of the random draws that some policies make
 * @param contextsOnUse whether contexts that take room on their devices are opened by the first
 *     work that uses them, and not with the pool
 */
public record PoolOptions(
    PlacementPolicy policy,
    Ticker ticker,
    Timing timing,
    Map<String, Long> hostLimits,
    PoolListener listener,
    CostModel costs,
    long seed,
    boolean contextsOnUse) {
  public PoolOptions {
    hostLimits = Map.copyOf(hostLimits);
  }

  /** Least loaded, system time, a cost model of its own. */
  public static PoolOptions usual() {
    return new PoolOptions(
        Policies.leastLoaded(),
        Ticker.system(),
        Timing.usual(),
        Map.of(),
        PoolListener.none(),
        new CostModel(),
        0,
        false);
  }

  public PoolOptions withPolicy(PlacementPolicy value) {
    return new PoolOptions(value, ticker, timing, hostLimits, listener, costs, seed, contextsOnUse);
  }

  public PoolOptions withTicker(Ticker value) {
    return new PoolOptions(policy, value, timing, hostLimits, listener, costs, seed, contextsOnUse);
  }

  public PoolOptions withTiming(Timing value) {
    return new PoolOptions(policy, ticker, value, hostLimits, listener, costs, seed, contextsOnUse);
  }

  public PoolOptions withHostLimits(Map<String, Long> value) {
    return new PoolOptions(policy, ticker, timing, value, listener, costs, seed, contextsOnUse);
  }

  public PoolOptions withListener(PoolListener value) {
    return new PoolOptions(policy, ticker, timing, hostLimits, value, costs, seed, contextsOnUse);
  }

  public PoolOptions withCosts(CostModel value) {
    return new PoolOptions(
        policy, ticker, timing, hostLimits, listener, value, seed, contextsOnUse);
  }

  public PoolOptions withSeed(long value) {
    return new PoolOptions(
        policy, ticker, timing, hostLimits, listener, costs, value, contextsOnUse);
  }

  /**
   * Opens contexts that take room on their devices by the first work that uses them, so that work
   * of other processes finds that room. What does not open is found then, and not with the pool.
   */
  public PoolOptions withContextsOnUse() {
    return new PoolOptions(policy, ticker, timing, hostLimits, listener, costs, seed, true);
  }
}
