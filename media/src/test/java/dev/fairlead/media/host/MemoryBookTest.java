package dev.fairlead.media.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.DeviceId;
import dev.fairlead.media.host.MemoryBook.Need;
import dev.fairlead.media.records.JobId;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MemoryBookTest {
  private static final long SEED = Long.getLong("fairlead.seed", 7_919);
  private static final DeviceId LANE = DeviceId.of("cpu:0");

  private final JobId one = JobId.create();
  private final JobId two = JobId.create();

  @Test
  void aJobAloneMayTakeAllThereIs() {
    MemoryBook book = new MemoryBook(1_000);
    assertThat(book.grant(one, new Need(300, Map.of(LANE, 100L)), Long.MAX_VALUE, 1))
        .isEqualTo(1_000);
    assertThat(book.fits(one, new Need(5_000, Map.of()))).as("with fewer encoders").isTrue();
  }

  @Test
  void anEncoderCountsOnceForTheJobThatNeedsMost() {
    MemoryBook book = new MemoryBook(1_000);
    book.enter(one, new Need(300, Map.of(LANE, 200L)));
    assertThat(book.fits(two, new Need(500, Map.of(LANE, 100L)))).isTrue();
    assertThat(book.fits(two, new Need(501, Map.of(LANE, 100L)))).isFalse();
    assertThat(book.fits(two, new Need(500, Map.of(LANE, 201L)))).isFalse();
    book.leave(one);
    assertThat(book.least()).isZero();
  }

  @Test
  void whatIsGrantedIsDividedAmongThoseThatAreToCome() {
    MemoryBook book = new MemoryBook(1_200);
    book.enter(two, new Need(100, Map.of()));
    assertThat(book.grant(one, new Need(100, Map.of()), Long.MAX_VALUE, 2)).isEqualTo(600);
    assertThat(book.grant(two, new Need(100, Map.of()), Long.MAX_VALUE, 2)).isEqualTo(600);
    book.leave(two);
    assertThat(book.fits(two, new Need(600, Map.of()))).isTrue();
    assertThat(book.fits(two, new Need(601, Map.of()))).isFalse();
    assertThat(book.grant(two, new Need(100, Map.of()), 150, 2)).as("of use").isEqualTo(150);
  }

  @Test
  void whatIsDividedIsNeverMoreThanThereIs() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int round = 0; round < 1_000; round++) {
      MemoryBook book = new MemoryBook(10_000);
      long own = 0;
      Map<JobId, Need> needs = new HashMap<>();
      for (int job = 0; job < 8; job++) {
        JobId id = JobId.create();
        Map<DeviceId, Long> encoders = new HashMap<>();
        for (int lane = 0; lane < 3; lane++) {
          encoders.put(DeviceId.of("cpu:" + lane), random.nextLong(800));
        }
        Need need = new Need(1 + random.nextLong(2_000), encoders);
        if (book.fits(id, need)) {
          long bytes = book.grant(id, need, random.nextLong(4_000), 1 + random.nextInt(8));
          assertThat(bytes).isGreaterThanOrEqualTo(Math.min(10_000, need.sum()));
          needs.put(id, need);
          own += bytes - (need.sum() - need.own());
        }
      }
      Map<DeviceId, Long> once = new HashMap<>();
      needs
          .values()
          .forEach(need -> need.encoders().forEach((id, its) -> once.merge(id, its, Math::max)));
      long encodersOnce = once.values().stream().mapToLong(Long::longValue).sum();
      assertThat(own + encodersOnce)
          .as("seed %d, round %d", SEED, round)
          .isLessThanOrEqualTo(10_000);
    }
  }
}
