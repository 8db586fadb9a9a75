package dev.fairlead.range;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * A deque's operations are atomic, whoever calls them at the same time: one owner that takes and
 * refills, any number of thieves. Lincheck runs every interleaving of small scenarios and compares
 * with what the same operations answer one after the other.
 */
@Param(name = "most", gen = IntGen.class, conf = "1:4")
public class StealableUnitsLincheckTest {
  private static final boolean FULL = Boolean.getBoolean("fairlead.full");
  private static final int REFILL = 5;

  private final StealableUnits units = new StealableUnits();
  private int filledTo;

  public StealableUnitsLincheckTest() {
    refill();
  }

  @Operation(nonParallelGroup = "owner")
  public String take(@Param(name = "most") int most) {
    return text(units.take(most));
  }

  /** The owner fills its deque when it has found it empty. */
  @Operation(nonParallelGroup = "owner")
  public boolean refill() {
    if (units.size() > 0) {
      return false;
    }
    units.fill(StealableUnits.interval(filledTo, filledTo + REFILL));
    filledTo += REFILL;
    return true;
  }

  @Operation
  public String steal() {
    return text(units.steal());
  }

  @Operation
  public int size() {
    return units.size();
  }

  private static String text(long interval) {
    return interval == StealableUnits.NONE
        ? "none"
        : StealableUnits.start(interval) + " to " + StealableUnits.end(interval);
  }

  @Test
  void everyInterleavingOfASmallScenarioIsAtomic() {
    new ModelCheckingOptions()
        .iterations(FULL ? 100 : 30)
        .invocationsPerIteration(FULL ? 5_000 : 1_000)
        .threads(3)
        .actorsPerThread(3)
        .check(StealableUnitsLincheckTest.class);
  }

  @Test
  void threadsThatReallyRunAtTheSameTimeFindItAtomic() {
    new StressOptions()
        .iterations(FULL ? 50 : 10)
        .invocationsPerIteration(FULL ? 10_000 : 2_000)
        .threads(3)
        .actorsPerThread(3)
        .check(StealableUnitsLincheckTest.class);
  }
}
