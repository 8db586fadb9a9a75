package dev.fairlead.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import java.time.Duration;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * A pool is not locked while a policy looks at it: what was available a moment ago may be gone, and
 * no figure need agree with the one before. A policy may then choose badly, never throw.
 */
class RestlessCandidatesTest {
  private static final int DECISIONS = 20_000;

  private record Restless(int size, SplittableRandom random) implements Candidates {
    @Override
    public Demand demand() {
      return Demand.any();
    }

    @Override
    public Device device(int index) {
      return Device.of(DeviceKind.SIMULATED, index);
    }

    @Override
    public Load load(int index) {
      return new Load(0, 0, burden(index), 0, null, Duration.ZERO, 0);
    }

    @Override
    public boolean available(int index) {
      return at(index, random.nextInt(3) == 0);
    }

    @Override
    public boolean full(int index) {
      return random.nextBoolean();
    }

    @Override
    public boolean eligible(int index) {
      return at(index, random.nextBoolean());
    }

    @Override
    public int burden(int index) {
      return at(index, random.nextInt(4));
    }

    @Override
    public double weight(int index) {
      return at(index, 1 + random.nextInt(3));
    }

    @Override
    public double rate(int index) {
      return at(index, maybe(random.nextDouble()));
    }

    @Override
    public double idleSeconds(int index) {
      return at(index, random.nextInt(100));
    }

    @Override
    public double predictedSeconds(int index) {
      return at(index, maybe(random.nextDouble()));
    }

    @Override
    public double backlogSeconds(int index) {
      return at(index, random.nextDouble());
    }

    @Override
    public double pass(int index) {
      return at(index, random.nextDouble());
    }

    @Override
    public double horizon() {
      return random.nextDouble();
    }

    @Override
    public int turn() {
      return random.nextInt(size + 2);
    }

    @Override
    public int rotation() {
      return random.nextInt(size + 2);
    }

    @Override
    public double draw(int which) {
      return random.nextDouble();
    }

    private <T> T at(int index, T value) {
      Objects.checkIndex(index, size);
      return value;
    }

    private double maybe(double value) {
      return random.nextBoolean() ? value : Double.NaN;
    }
  }

  /**
   * What a policy chose on is what the pool is told: reading it again for that would let through
   * whoever came in between.
   */
  @Test
  void aChoiceIsBoundToTheBurdenItWasMadeOn() {
    for (PlacementPolicy policy : Policies.all()) {
      TestingCandidates calm = TestingCandidates.of(1);
      calm.candidate(0).learned(1, 0);
      long choice = policy.place(calm.risingFrom(0));
      assertThat(Choice.isPlaced(choice)).as(policy.name()).isTrue();
      if (policy.memory() != PlacementPolicy.Memory.TURN) {
        assertThat(Choice.burden(choice)).as(policy.name()).isZero();
      }
    }
  }

  @Test
  void noPolicyTripsOverAViewThatChangesUnderItsEyes() {
    SplittableRandom random = new SplittableRandom(20_011);
    for (PlacementPolicy policy : Policies.all()) {
      for (int i = 0; i < DECISIONS; i++) {
        int size = random.nextInt(5);
        long choice = policy.place(new Restless(size, random));
        if (Choice.isPlaced(choice)) {
          assertThat(Choice.index(choice)).as(policy.name()).isBetween(0, size - 1);
        }
      }
    }
  }
}
