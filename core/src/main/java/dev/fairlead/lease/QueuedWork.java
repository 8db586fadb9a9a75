package dev.fairlead.lease;

/** Work that was left with the pool, to be started on a device's own thread when its turn comes. */
public interface QueuedWork {
  /** Called before the job is placed, with what takes it back. */
  default void accepted(Ticket ticket) {}

  /** Called once, on a thread of the leased device. Must see to it that the lease ends. */
  void run(Lease lease);

  /** It will not run, or hung while it ran. */
  void abandon(Throwable reason);

  /** Who is named when someone asks who holds a lease. */
  String holder();
}
