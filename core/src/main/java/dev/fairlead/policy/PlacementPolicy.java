package dev.fairlead.policy;

import java.util.function.ToIntFunction;

/**
 * A pure rule that says which device takes a piece of work. It sees the candidates and answers a
 * {@link Choice}; the pool commits the choice in one atomic step, or asks again if the race was
 * lost. See {@link Policies} for those that come with Fairlead.
 */
public interface PlacementPolicy {
  /** What the holder of the candidates has to remember between decisions of a policy. */
  enum Memory {
    NONE,
    /** Whose turn it is: {@link Candidates#turn}. */
    TURN,
    /** The shares taken: {@link Candidates#pass} and {@link Candidates#horizon}. */
    SHARES
  }

  String name();

  long place(Candidates candidates);

  /** Why a candidate is as good or bad as it is, in figures, for people. */
  default String account(Candidates candidates, int index) {
    return Explanation.toDo(candidates.burden(index));
  }

  default Memory memory() {
    return Memory.NONE;
  }

  /**
   * Whether the policy weighs the queue of a busy device against the free slot of another one. It
   * then sees full devices as available to submitted work. To all others a full device becomes
   * available only when none has a free slot.
   */
  default boolean weighsQueues() {
    return false;
  }

  /**
   * Whether a device with a free slot takes work over that waits in the queue of a busy one. It
   * does, unless the policy knows that the busy one will finish it sooner.
   */
  default boolean takes(Candidates candidates, int free, int busy) {
    return true;
  }

  /** The same policy, under which work stays in the queue that it has joined. */
  default PlacementPolicy withoutTaking() {
    return new KeepingQueues(this);
  }

  /** A policy of your own: answers an index, or -1 to wait. */
  static PlacementPolicy of(String name, ToIntFunction<Candidates> rule) {
    return new PlacementPolicy() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public long place(Candidates candidates) {
        int index = rule.applyAsInt(candidates);
        if (index < -1) {
          throw new IllegalStateException("answered " + index + ", which is no index");
        }
        return index == -1 ? Choice.NONE : Choice.of(index);
      }
    };
  }

  /** A policy whose devices take nothing over. */
  record KeepingQueues(PlacementPolicy inner) implements PlacementPolicy {
    @Override
    public String name() {
      return inner.name();
    }

    @Override
    public long place(Candidates candidates) {
      return inner.place(candidates);
    }

    @Override
    public String account(Candidates candidates, int index) {
      return inner.account(candidates, index);
    }

    @Override
    public Memory memory() {
      return inner.memory();
    }

    @Override
    public boolean weighsQueues() {
      return true;
    }

    @Override
    public boolean takes(Candidates candidates, int free, int busy) {
      return false;
    }
  }
}
