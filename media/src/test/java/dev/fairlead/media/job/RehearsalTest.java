package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.ladder.Rehearsal;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.wire.Chaos;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A plan makes the same faults in every run, whoever begins what when. */
@Timeout(60)
class RehearsalTest {
  private static final List<String> RUNGS = List.of("180p", "90p");
  private static final int CHUNKS = 50;
  private static final int ATTEMPTS = 4;
  private static final int THREADS = 8;
  private static final String BY_CHANCE = "throw@30%,crash@20%x1,lie@90p/3,garble@7x2,seed=3";

  private record Begun(int rung, long chunk) {
    UnitId unit() {
      return new UnitId(RUNGS.get(rung), chunk);
    }
  }

  private static Rehearsal rehearsal(String plan) {
    return new Rehearsal(ChaosPlan.parse(plan));
  }

  private static List<Begun> attempts() {
    List<Begun> all = new ArrayList<>();
    for (int rung = 0; rung < RUNGS.size(); rung++) {
      for (int chunk = 0; chunk < CHUNKS; chunk++) {
        all.addAll(Collections.nCopies(ATTEMPTS, new Begun(rung, chunk)));
      }
    }
    return all;
  }

  /** What each unit draws, attempt by attempt, when they begin in this order. */
  private static Map<UnitId, List<Chaos>> faults(String plan, List<Begun> order) {
    Rehearsal rehearsal = rehearsal(plan);
    Map<UnitId, List<Chaos>> faults = new HashMap<>();
    for (Begun each : order) {
      faults
          .computeIfAbsent(each.unit(), unit -> new ArrayList<>())
          .add(rehearsal.begin(each.rung(), each.unit(), 0));
    }
    return faults;
  }

  private static List<Chaos> next(Rehearsal rehearsal, int rung, long chunk, int attempts) {
    UnitId unit = new UnitId(RUNGS.get(rung), chunk);
    return IntStream.range(0, attempts).mapToObj(i -> rehearsal.begin(rung, unit, 0)).toList();
  }

  @Test
  void theFaultsOfAUnitDoNotDependOnTheOrderInWhichUnitsBegin() {
    Map<UnitId, List<Chaos>> expected = faults(BY_CHANCE, attempts());
    assertThat(expected.values())
        .as("there are some of each")
        .anyMatch(each -> each.contains(Chaos.THROW))
        .anyMatch(each -> each.contains(Chaos.CRASH))
        .anyMatch(each -> Collections.frequency(each, Chaos.NONE) == ATTEMPTS);
    for (int round = 0; round < 20; round++) {
      List<Begun> order = attempts();
      Collections.shuffle(order, new Random(round));
      assertThat(faults(BY_CHANCE, order)).as("order %d", round).isEqualTo(expected);
    }
  }

  @Test
  void theFaultsOfAUnitDoNotDependOnTheThreadsThatBeginIt() throws Exception {
    Map<UnitId, Map<Chaos, Integer>> expected = new HashMap<>();
    faults(BY_CHANCE, attempts())
        .forEach((unit, each) -> each.forEach(fault -> count(expected, unit, fault)));
    Rehearsal rehearsal = rehearsal(BY_CHANCE);
    List<Begun> order = attempts();
    Collections.shuffle(order, new Random(1));
    Map<UnitId, Map<Chaos, Integer>> made = new ConcurrentHashMap<>();
    CyclicBarrier together = new CyclicBarrier(THREADS);
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<Boolean>> running = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int first = thread;
        Callable<Boolean> share =
            () -> {
              together.await(20, TimeUnit.SECONDS);
              for (int i = first; i < order.size(); i += THREADS) {
                Begun each = order.get(i);
                count(made, each.unit(), rehearsal.begin(each.rung(), each.unit(), 0));
              }
              return true;
            };
        running.add(threads.submit(share));
      }
      for (Future<Boolean> each : running) {
        assertThat(each.get(20, TimeUnit.SECONDS)).isTrue();
      }
    }
    assertThat(made).isEqualTo(expected);
  }

  private static void count(Map<UnitId, Map<Chaos, Integer>> faults, UnitId unit, Chaos fault) {
    faults.compute(
        unit,
        (key, before) -> {
          Map<Chaos, Integer> counts = before == null ? new EnumMap<>(Chaos.class) : before;
          counts.merge(fault, 1, Integer::sum);
          return counts;
        });
  }

  @Test
  void everyJobOfAPlanHasTheSameFaults() {
    ChaosPlan plan = ChaosPlan.parse("throw@90p/1,crash@0.5s");
    UnitId unit = new UnitId("90p", 1);
    for (int job = 0; job < 2; job++) {
      Rehearsal rehearsal = new Rehearsal(plan);
      assertThat(rehearsal.begin(1, unit, 1)).isEqualTo(Chaos.THROW);
      assertThat(rehearsal.begin(1, unit, 1)).isEqualTo(Chaos.CRASH);
      assertThat(rehearsal.begin(1, unit, 1)).isEqualTo(Chaos.NONE);
    }
  }

  @Test
  void chanceIsAsGreatAsThePlanSays() {
    long faults =
        faults("throw@30%,seed=3", attempts()).values().stream()
            .flatMap(List::stream)
            .filter(Chaos.THROW::equals)
            .count();
    assertThat(faults / (double) attempts().size()).isBetween(0.24, 0.36);
    assertThat(faults("throw@0%", attempts()).values())
        .allMatch(each -> Collections.frequency(each, Chaos.NONE) == ATTEMPTS);
    assertThat(faults("throw@100%", attempts()).values())
        .allMatch(each -> Collections.frequency(each, Chaos.THROW) == ATTEMPTS);
  }

  @Test
  void anotherSeedAndAnotherPlaceInThePlanDrawOtherFaults() {
    assertThat(faults("throw@30%,seed=4", attempts()))
        .isNotEqualTo(faults("throw@30%,seed=3", attempts()));
    assertThat(faults("lie@0%,throw@30%,seed=3", attempts()))
        .isNotEqualTo(faults("throw@30%,seed=3", attempts()));
  }

  @Test
  void aChunkOfARungFailsInItsFirstAttemptsAndFaultsFollowEachOtherAsWritten() {
    Rehearsal rehearsal = rehearsal("throw@90p/1x2,crash@90p/1,lie@180p/1x*");
    assertThat(next(rehearsal, 1, 1, 4))
        .containsExactly(Chaos.THROW, Chaos.THROW, Chaos.CRASH, Chaos.NONE);
    assertThat(next(rehearsal, 0, 1, 3)).containsOnly(Chaos.LIE);
    assertThat(next(rehearsal, 1, 2, 2)).containsOnly(Chaos.NONE);
  }

  @Test
  void aChunksNumberAloneIsThatOfTheFirstRungWhoeverBeginsFirst() {
    Rehearsal rehearsal = rehearsal("kill@1");
    assertThat(next(rehearsal, 1, 1, 2)).containsOnly(Chaos.NONE);
    assertThat(next(rehearsal, 0, 1, 2)).containsExactly(Chaos.KILL, Chaos.NONE);
  }

  @Test
  void afterATimeTheNextAttemptFailsThatHasNoFaultOfItsOwn() {
    Rehearsal rehearsal = rehearsal("lost@2s,throw@90p/1");
    assertThat(rehearsal.begin(1, new UnitId("90p", 0), 1.9)).isEqualTo(Chaos.NONE);
    assertThat(rehearsal.begin(1, new UnitId("90p", 1), 2)).isEqualTo(Chaos.THROW);
    assertThat(rehearsal.begin(1, new UnitId("90p", 2), 2)).isEqualTo(Chaos.LOST);
    assertThat(rehearsal.begin(1, new UnitId("90p", 3), 2)).isEqualTo(Chaos.NONE);
  }
}
