package dev.fairlead.ledger;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * The lock in a ledger's word keeps plain fields apart, and what is published with it is what the
 * next holder sees. Lincheck runs every interleaving of small scenarios, and stresses larger ones.
 */
public class LedgerWordLincheckTest {
  private static final boolean FULL = Boolean.getBoolean("fairlead.full");

  private static final class Word extends LedgerWord {
    private int plain;
  }

  private final Word word = new Word();

  @Operation
  public int change() {
    word.lock();
    try {
      return ++word.plain;
    } finally {
      word.publish(word.plain, 0);
    }
  }

  /** The burden that was published is that of the plain field, whoever looks under the lock. */
  @Operation
  public boolean isWhole() {
    long seen = word.lock();
    try {
      return LedgerWord.burden(seen) == word.plain;
    } finally {
      word.unlockUnchanged();
    }
  }

  @Operation
  public int burden() {
    return LedgerWord.burden(word.word());
  }

  @Test
  void everyInterleavingOfASmallScenarioIsAtomic() {
    new ModelCheckingOptions()
        .iterations(FULL ? 60 : 15)
        .invocationsPerIteration(FULL ? 3_000 : 500)
        .threads(2)
        .actorsPerThread(3)
        .check(LedgerWordLincheckTest.class);
  }

  @Test
  void threadsThatReallyRunAtTheSameTimeFindItAtomic() {
    new StressOptions()
        .iterations(FULL ? 40 : 8)
        .invocationsPerIteration(FULL ? 10_000 : 2_000)
        .threads(3)
        .actorsPerThread(3)
        .check(LedgerWordLincheckTest.class);
  }
}
