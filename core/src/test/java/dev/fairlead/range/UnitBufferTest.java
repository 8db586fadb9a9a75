package dev.fairlead.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnitBufferTest {
  private static final int SPLITS = 10_000;

  private final Splitter uniform = Splitter.uniform();

  @Test
  void holdsStartsEndsAndHomes() {
    UnitBuffer units = UnitBuffer.ofCapacity(5);

    uniform.split(9, 1, units);

    assertThat(units.size()).isEqualTo(5);
    assertThat(units.start(0)).isEqualTo(0);
    assertThat(units.end(0)).isEqualTo(2);
    assertThat(units.start(4)).isEqualTo(8);
    assertThat(units.end(4)).isEqualTo(9);
    assertThat(units.home(4)).isZero();
    assertThat(units.unit(3)).isEqualTo(new Unit(new Range(6, 8), 0));
    assertThat(units).hasToString("UnitBuffer[5 units up to 9, capacity 5]");
  }

  @Test
  void isReplacedByTheNextSplitAndItsListIsNot() {
    UnitBuffer units = UnitBuffer.ofCapacity(20);
    uniform.split(10, 3, units);
    List<Unit> before = units.toList();

    uniform.split(2, 8, units);

    assertThat(before).hasSize(10);
    assertThat(units.toList())
        .containsExactly(new Unit(new Range(0, 1), 0), new Unit(new Range(1, 2), 1));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> units.home(2))
        .withMessage("unit 2 of 2");
  }

  @Test
  void refusesOneUnitMoreThanItHoldsAndNamesTheCountAndTheRemedy() {
    UnitBuffer units = UnitBuffer.ofCapacity(9);
    uniform.split(9, 3, units);

    SplitException.TooManyUnits refused =
        catchThrowableOfType(SplitException.TooManyUnits.class, () -> uniform.split(10, 3, units));

    assertThat(refused)
        .hasMessage(
            "the split has 10 units and the storage holds 9; "
                + "use UnitBuffer.ofCapacity(10) or UnitBuffer.growing()");
    assertThat(refused.count()).isEqualTo(10);
    assertThat(refused.capacity()).isEqualTo(9);
    assertThat(units.size()).as("nothing of a failed split is left").isZero();
  }

  @Test
  void refusesMoreWeightedAndFactoredUnitsThanItHolds() {
    UnitBuffer units = UnitBuffer.ofCapacity(2);
    List<Double> weights = List.of(1.0, 1.0, 1.0);

    assertThatExceptionOfType(SplitException.TooManyUnits.class)
        .isThrownBy(() -> Splitter.weighted(weights).split(3, 3, units))
        .withMessageContaining("3 units");
    int needed = Splitter.factoring(weights, 2).split(100, 3).size();
    assertThatExceptionOfType(SplitException.TooManyUnits.class)
        .isThrownBy(() -> Splitter.factoring(weights, 2).split(100, 3, units))
        .withMessageContaining(needed + " units");
    assertThat(units.size()).isZero();
    Splitter.weighted(weights).split(2, 3, units);
    assertThat(units.size()).isEqualTo(2);
  }

  @Test
  void growsAsFarAsNeeded() {
    UnitBuffer units = UnitBuffer.growing();

    uniform.split(1_000, 1_000, units);
    uniform.split(5_000, 10_000, units);

    assertThat(units.size()).isEqualTo(5_000);
    assertThat(units.end(4_999)).isEqualTo(5_000);
  }

  @Test
  void refusesACapacityThatNoArrayHas() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> UnitBuffer.ofCapacity(-1))
        .withMessageEndingWith(": -1");
    assertThatIllegalArgumentException().isThrownBy(() -> UnitBuffer.ofCapacity(Integer.MAX_VALUE));
  }

  @Test
  void allocatesNothingWhenReused() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    UnitBuffer units = UnitBuffer.ofCapacity(64);
    splitOften(units);
    threads.getCurrentThreadAllocatedBytes();

    long before = threads.getCurrentThreadAllocatedBytes();
    splitOften(units);
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;

    // Less than a byte a split: the measurement itself may allocate a little, once.
    assertThat(allocated).isLessThan(SPLITS);
  }

  private void splitOften(UnitBuffer units) {
    for (int i = 0; i < SPLITS; i++) {
      uniform.split(i, 8, units);
    }
  }
}
