package dev.fairlead.shared;

/** Keeps what follows on a cache line that nothing else is written on. */
public abstract class CacheLine {
  @SuppressWarnings("unused")
  private long p0, p1, p2, p3, p4, p5, p6, p7;
}
