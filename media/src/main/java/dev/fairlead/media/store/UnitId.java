package dev.fairlead.media.store;

/** Names a chunk of a rung. */
public record UnitId(String rung, long chunk) {
  @Override
  public String toString() {
    return "%s/%06d".formatted(rung, chunk);
  }
}
