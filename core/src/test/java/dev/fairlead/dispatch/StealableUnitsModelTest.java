package dev.fairlead.dispatch;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/** Model checking of one device's deque: no unit is handed out twice, none is lost. */
public class StealableUnitsModelTest {
  private final StealableUnits units = new StealableUnits();

  public StealableUnitsModelTest() {
    units.fill(StealableUnits.interval(1, 6));
  }

  @Operation
  public long take() {
    return units.take(1);
  }

  @Operation
  public long takeTwo() {
    return units.take(2);
  }

  @Operation
  public long steal() {
    return units.steal();
  }

  @Test
  void everyInterleavingIsLinearizable() {
    new ModelCheckingOptions()
        .iterations(20)
        .invocationsPerIteration(1_000)
        .threads(3)
        .actorsPerThread(2)
        .check(StealableUnitsModelTest.class);
  }

  @Test
  void stressIsLinearizable() {
    new StressOptions()
        .iterations(20)
        .invocationsPerIteration(1_000)
        .threads(2)
        .actorsPerThread(3)
        .check(StealableUnitsModelTest.class);
  }
}
