package dev.fairlead.policy;

/** The better of two devices drawn by speed. */
record PowerOfTwo() implements PlacementPolicy {
  @Override
  public String name() {
    return "power-of-two";
  }

  @Override
  public long place(Candidates candidates) {
    double typical = candidates.typicalRate();
    double total = candidates.totalSpeed(typical);
    int one = candidates.atSpeed(candidates.draw(0) * total, typical);
    if (one < 0) {
      return Choice.NONE;
    }
    int two = candidates.atSpeed(candidates.draw(1) * total, typical);
    int burdenOfOne = candidates.burden(one);
    if (two < 0) {
      return Choice.of(one, burdenOfOne); // the second look found no free device any more
    }
    int burdenOfTwo = candidates.burden(two);
    boolean second =
        (burdenOfTwo + 1) / candidates.speed(two, typical)
            < (burdenOfOne + 1) / candidates.speed(one, typical);
    return second ? Choice.of(two, burdenOfTwo) : Choice.of(one, burdenOfOne);
  }

  @Override
  public boolean weighsQueues() {
    return true;
  }

  @Override
  public boolean takes(Candidates candidates, int free, int busy) {
    return Adaptive.finishesFirst(candidates, free, busy);
  }
}
