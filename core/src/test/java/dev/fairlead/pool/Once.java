package dev.fairlead.pool;

import dev.fairlead.lease.Lease;
import dev.fairlead.lease.QueuedWork;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** A job that succeeds at once, and remembers what became of it. */
class Once implements QueuedWork {
  final CountDownLatch ran = new CountDownLatch(1);
  final CompletableFuture<Throwable> abandoned = new CompletableFuture<>();

  @Override
  public void run(Lease lease) {
    lease.succeed();
    ran.countDown();
  }

  @Override
  public void abandon(Throwable reason) {
    abandoned.complete(reason);
  }

  @Override
  public String holder() {
    return "once";
  }
}
