package dev.fairlead.media.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.DeviceId;
import dev.fairlead.media.host.MemoryBook.Need;
import dev.fairlead.media.records.JobId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MemoryBookTest {
  private static final long SEED = Long.getLong("fairlead.seed", 7_919);
  private static final int ROUNDS = Boolean.getBoolean("fairlead.full") ? 20_000 : 1_000;
  private static final DeviceId LANE = DeviceId.of("cpu:0");
  private static final long MUCH = Long.MAX_VALUE;

  private final JobId one = JobId.create();
  private final JobId two = JobId.create();

  private static Need need(long own) {
    return new Need(own, Map.of());
  }

  private static long bytes(MemoryBook book, JobId job) {
    return book.share(job).orElseThrow().memoryBytes();
  }

  private static void within(MemoryBook book, JobId job) {
    book.within(job, book.share(job).orElseThrow().number());
    book.divide(true);
  }

  @Test
  void aJobAloneMayTakeAllThereIs() {
    MemoryBook book = new MemoryBook(1_000, 4);
    book.enter(one, new Need(300, Map.of(LANE, 100L)), MUCH, 3);
    assertThat(book.divide(false)).as("it is there now").isTrue();
    assertThat(book.share(one)).hasValue(new Seat.Share(1, 1_000, 3, false));
    assertThat(book.divide(false)).isFalse();
    assertThat(book.share(one).orElseThrow().number()).as("nothing has changed").isEqualTo(1);
  }

  @Test
  void aJobThatNeedsMoreThanThereIsGoesAloneWithFewerEncoders() {
    MemoryBook book = new MemoryBook(1_000, 4);
    Need large = new Need(300, Map.of(LANE, 2_000L));
    assertThat(book.fits(one, large)).isTrue();
    book.enter(one, large, MUCH, 1);
    book.divide(false);
    assertThat(bytes(book, one)).isEqualTo(1_000);
    assertThat(book.fits(two, need(1))).isFalse();
  }

  @Test
  void anEncoderCountsOnceForTheJobThatNeedsMost() {
    MemoryBook book = new MemoryBook(1_000, 4);
    book.enter(one, new Need(300, Map.of(LANE, 200L)));
    assertThat(book.fits(two, new Need(500, Map.of(LANE, 100L)))).isTrue();
    assertThat(book.fits(two, new Need(501, Map.of(LANE, 100L)))).isFalse();
    assertThat(book.fits(two, new Need(500, Map.of(LANE, 201L)))).isFalse();
    book.leave(one);
    assertThat(book.least()).isZero();
    assertThat(book.held()).isZero();
  }

  @Test
  void aSecondJobIsThereOnceTheFirstHasLetGoAndTheFirstGrowsAgainWhenItEnds() {
    MemoryBook book = new MemoryBook(1_200, 4);
    book.enter(one, need(100), MUCH, 4);
    book.divide(false);
    assertThat(bytes(book, one)).isEqualTo(1_200);
    assertThat(book.fits(two, need(100))).isTrue();
    book.enter(two, need(100), MUCH, 4);
    assertThat(book.divide(true)).isFalse();
    assertThat(book.isThere(two)).as("the first still has all").isFalse();
    assertThat(bytes(book, one)).as("what the other needs is to go").isEqualTo(1_100);
    assertThat(book.held()).isEqualTo(1_200);
    book.within(one, 1);
    assertThat(book.held()).as("it was another share").isEqualTo(1_200);
    within(book, one);
    assertThat(book.isThere(two)).isTrue();
    assertThat(bytes(book, one)).as("its part").isEqualTo(600);
    assertThat(bytes(book, two)).isEqualTo(100);
    within(book, one);
    assertThat(bytes(book, two)).isEqualTo(600);
    book.leave(two);
    book.divide(false);
    assertThat(bytes(book, one)).isEqualTo(1_200);
  }

  @Test
  void whatAJobCannotUseIsForTheOthers() {
    MemoryBook book = new MemoryBook(1_200, 4);
    book.enter(one, need(100), 150, 1);
    book.enter(two, need(100), MUCH, 1);
    book.divide(true);
    assertThat(bytes(book, one)).isEqualTo(150);
    assertThat(bytes(book, two)).isEqualTo(1_050);
    book.enter(two, need(100));
    book.divide(true);
    assertThat(bytes(book, two)).as("it decodes no more").isEqualTo(100);
  }

  @Test
  void everyJobHasAPumpAndFurtherOnesComeWhenOthersHaveEnded() {
    MemoryBook book = new MemoryBook(1_000, 3);
    book.enter(one, need(1), 1, 3);
    book.divide(false);
    assertThat(book.share(one).orElseThrow().pumps()).isEqualTo(3);
    book.enter(two, need(1), 1, 3);
    book.divide(true);
    assertThat(book.share(one).orElseThrow().pumps()).isEqualTo(1);
    assertThat(book.share(two).orElseThrow().pumps()).as("three run").isEqualTo(1);
    within(book, one);
    assertThat(book.share(one).orElseThrow().pumps() + book.share(two).orElseThrow().pumps())
        .isEqualTo(3);
    for (int more = 0; more < 5; more++) {
      JobId job = JobId.create();
      book.enter(job, need(1), 1, 3);
      book.divide(true);
      assertThat(book.share(job).orElseThrow().pumps()).isEqualTo(1);
    }
  }

  /** A worker of the model: it uses up to what it knows that it may, and tells so late. */
  private static final class Worker {
    Seat.Share known;
    long own;
    long used;

    Worker(Seat.Share share, Need need) {
      known = share;
      own = need.sum();
      used = own;
    }

    boolean isWithin() {
      return used <= known.memoryBytes();
    }
  }

  /**
   * Jobs come, learn what they need, leave, use what they may and give it back late: what all use
   * is never more than there is, nor are there more pumps than processors but for one of each job,
   * and in the end every job is there.
   */
  @Test
  void whatIsUsedIsNeverMoreThanThereIs() {
    for (long seed = SEED; seed < SEED + ROUNDS; seed++) {
      try {
        play(new SplittableRandom(seed));
      } catch (AssertionError failure) {
        throw new AssertionError("Run again with -Dfairlead.seed=" + seed, failure);
      }
    }
  }

  private static void play(SplittableRandom random) {
    long total = 10_000;
    int processors = 1 + random.nextInt(6);
    MemoryBook book = new MemoryBook(total, processors);
    Map<JobId, Need> in = new LinkedHashMap<>();
    Map<JobId, Worker> workers = new HashMap<>();
    for (int step = 0; step < 300; step++) {
      List<JobId> jobs = new ArrayList<>(in.keySet());
      JobId job = jobs.isEmpty() ? JobId.create() : jobs.get(random.nextInt(jobs.size()));
      Worker worker = workers.get(job);
      switch (random.nextInt(7)) {
        case 0 -> {
          JobId fresh = JobId.create();
          Need need = new Need(500, Map.of());
          if (book.fits(fresh, need)) {
            book.enter(fresh, need);
            in.put(fresh, need);
          }
        }
        case 1 -> {
          Need need = drawn(random);
          if (in.containsKey(job) && worker == null && book.fits(job, need)) {
            book.enter(job, need, random.nextLong(12_000), 1 + random.nextInt(4));
            in.put(job, need);
          }
        }
        case 2 -> {
          if (random.nextInt(4) == 0) {
            book.leave(job);
            in.remove(job);
            workers.remove(job);
          }
        }
        case 3 -> {
          if (worker == null && book.isThere(job)) {
            Need its = Objects.requireNonNull(in.get(job));
            workers.put(job, new Worker(book.share(job).orElseThrow(), its));
          } else if (worker != null) {
            worker.known = book.share(job).orElseThrow();
          }
        }
        case 4 -> {
          if (worker != null && worker.used < worker.known.memoryBytes()) {
            worker.used += random.nextLong(worker.known.memoryBytes() - worker.used + 1);
          }
        }
        case 5 -> {
          if (worker != null) {
            worker.used = Math.max(worker.own, worker.used - random.nextLong(4_000));
          }
        }
        default -> {
          if (worker != null && worker.isWithin()) {
            book.within(job, worker.known.number());
          }
        }
      }
      book.divide(in.size() > 1);
      assertThat(in.size() == 1 ? 0 : used(in, workers)).isLessThanOrEqualTo(total);
      assertThat(in.size() == 1 ? 0 : book.held()).isLessThanOrEqualTo(total);
      assertThat(pumps(book, in)).isLessThanOrEqualTo(Math.max(processors, in.size()));
    }
    settle(book, in, workers);
  }

  private static Need drawn(SplittableRandom random) {
    Map<DeviceId, Long> encoders = new HashMap<>();
    for (int lane = 0; lane < 3; lane++) {
      encoders.put(DeviceId.of("cpu:" + lane), random.nextLong(800));
    }
    return new Need(1 + random.nextLong(2_000), encoders);
  }

  /** One that is not there yet is about to have one. */
  private static int pumps(MemoryBook book, Map<JobId, Need> in) {
    return in.keySet().stream()
        .mapToInt(job -> book.share(job).map(Seat.Share::pumps).orElse(1))
        .sum();
  }

  private static long used(Map<JobId, Need> in, Map<JobId, Worker> workers) {
    Map<DeviceId, Long> encoders = new HashMap<>();
    long used = 0;
    for (Map.Entry<JobId, Worker> each : workers.entrySet()) {
      Need need = Objects.requireNonNull(in.get(each.getKey()));
      need.encoders().forEach((id, bytes) -> encoders.merge(id, bytes, Math::max));
      used += each.getValue().used - (need.sum() - need.own());
    }
    return used + encoders.values().stream().mapToLong(Long::longValue).sum();
  }

  /** All let go of what they are to let go of: every job is there. */
  private static void settle(MemoryBook book, Map<JobId, Need> in, Map<JobId, Worker> workers) {
    for (int times = 0; times < 2; times++) {
      in.keySet().forEach(job -> book.share(job).ifPresent(its -> book.within(job, its.number())));
      book.divide(in.size() > 1);
    }
    assertThat(in.keySet()).allMatch(book::isThere);
    in.keySet().forEach(book::leave);
    assertThat(book.held()).isZero();
    assertThat(workers.keySet()).isSubsetOf(in.keySet());
  }
}
