package dev.fairlead.pool;

import dev.fairlead.stats.CostModel;
import dev.fairlead.stats.Ticker;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What a pool remembers for its policies between decisions and across changes of the fleet: whose
 * turn it is, the shares, where each thread looks first, the index by burden, the learned costs.
 */
record PoolMemory(
    AtomicInteger turn,
    Shares shares,
    Stripe.Ring stripes,
    Floors floors,
    HostLimits host,
    CostModel costs,
    Ticker ticker,
    long seed) {
  static PoolMemory of(PoolOptions options) {
    return new PoolMemory(
        new AtomicInteger(),
        new Shares(),
        new Stripe.Ring(),
        new Floors(),
        new HostLimits(options.hostLimits()),
        options.costs(),
        options.ticker(),
        options.seed());
  }

  Stripe stripe() {
    return stripes.mine();
  }
}
