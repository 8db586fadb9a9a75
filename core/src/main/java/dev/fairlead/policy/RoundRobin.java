package dev.fairlead.policy;

/** Strict order across the devices that can take the work; a full device is skipped. */
record RoundRobin() implements PlacementPolicy {
  @Override
  public String name() {
    return "round-robin";
  }

  @Override
  public Memory memory() {
    return Memory.TURN;
  }

  @Override
  public long place(Candidates candidates) {
    int size = candidates.size();
    for (int step = 0, index = candidates.turn(); step < size; step++, index++) {
      index = index < 0 || index >= size ? 0 : index;
      if (candidates.available(index)) {
        return Choice.of(index);
      }
    }
    return Choice.NONE;
  }

  @Override
  public String account(Candidates candidates, int index) {
    int size = candidates.size();
    int turn = candidates.turn() >= size ? 0 : candidates.turn();
    int places = Math.floorMod(index - turn, size);
    return switch (places) {
      case 0 -> "has the next turn";
      case 1 -> "has the turn after the next one";
      default -> "%d turns after the next one".formatted(places);
    };
  }
}
