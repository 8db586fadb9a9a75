package dev.fairlead.simulator.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.policy.PlacementPolicy;
import dev.fairlead.policy.Policies;
import dev.fairlead.simulator.engine.Engine;
import dev.fairlead.simulator.engine.Machines;
import dev.fairlead.simulator.engine.Observer;
import dev.fairlead.simulator.engine.Scenario;
import dev.fairlead.simulator.engine.Tasks;
import dev.fairlead.simulator.fleet.FleetSpec;
import dev.fairlead.simulator.fleet.Mishap;
import dev.fairlead.simulator.workload.Workload;
import dev.fairlead.simulator.workload.Workloads;
import dev.fairlead.simulator.workload.Workloads.Flow;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * After every event of random scenarios: nobody who serves, has a free slot and has not failed
 * lately is idle while the oldest task that it may run of another's line is one that the policy
 * lets it take. Fleets are no larger than a look goes.
 */
class IdleDevicesTest {
  private static final int SEEDS = Boolean.getBoolean("fairlead.full") ? 1_000 : 60;
  private static final int MOST_TRIES = 1_000;
  private static final int MOST_DEVICES = Taking.MOST_LINES;

  /** Under earliest finish time alone can make a line worth taking from: when work overruns. */
  private static final List<String> AS_PREDICTED =
      List.of("stop %s at %s", "flap %s every 7 at %s", "leave %s at %s", "join %s at %s");

  private static final List<String> ALL =
      Stream.concat(
              AS_PREDICTED.stream(),
              Stream.of("slow %s to 0.25 at %s", "hang %s at %s", "lost %s at %s"))
          .toList();

  static Stream<PlacementPolicy> policies() {
    return Policies.all().stream();
  }

  @ParameterizedTest
  @MethodSource("policies")
  void nobodyIsIdleWhileAnotherHasALine(PlacementPolicy policy) {
    boolean byPrediction = policy.equals(Policies.earliestFinish());
    int lines = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      Looking looking = new Looking(policy, seed);
      Engine engine = new Engine(scenario(seed, byPrediction), looking::placing, looking);
      assertThat(engine.run().lost()).as("seed %d", seed).isZero();
      lines += looking.lines;
    }
    assertThat(lines).as("lines that were looked at").isGreaterThan(SEEDS * 100);
  }

  private static Scenario scenario(int seed, boolean asPredicted) {
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder terms = new StringBuilder("1xd:1");
    int size = 2 + random.nextInt(MOST_DEVICES - 1);
    for (int i = 1; i < size; i++) {
      terms.append(",1x%c:%d".formatted('d' + i, 1 + random.nextInt(8)));
      terms.append(random.nextInt(3) == 0 ? "/slots=" + (2 + random.nextInt(3)) : "");
      terms.append(random.nextInt(4) == 0 ? "/sessions=" + (1 + random.nextInt(5)) : "");
    }
    FleetSpec fleet = FleetSpec.parse(terms.toString());
    Flow flow = new Flow(300, 0.5 + random.nextDouble(), asPredicted ? 0 : 0.3);
    Workload workload =
        switch (random.nextInt(4)) {
          case 0 -> Workloads.poisson(flow);
          case 1 -> Workloads.burst(flow, 3);
          case 2 -> Workloads.heavyTail(flow);
          default -> Workloads.batch(flow);
        };
    List<String> kinds = asPredicted ? AS_PREDICTED : ALL;
    List<Mishap> mishaps = new ArrayList<>();
    double end = 300 / fleet.capacity();
    for (int i = 1; i < size; i++) { // the first is left alone, so that nothing is lost
      if (random.nextInt(2) == 0) {
        String name = fleet.devices().get(i).name();
        String kind = kinds.get(random.nextInt(kinds.size()));
        double at = random.nextDouble() * end;
        mishaps.addAll(Mishap.parse(kind.formatted(name, at), fleet));
        mishaps.addAll(
            Mishap.parse("back %s at %s".formatted(name, at + random.nextDouble() * end), fleet));
      }
    }
    return Scenario.of(fleet, workload, seed)
        .with(mishaps)
        .with(new Scenario.Conditions(0, 120, MOST_TRIES, asPredicted || random.nextBoolean(), 0));
  }

  /** Looks at all devices and lines after each event. */
  private static final class Looking implements Observer {
    private final PlacementPolicy policy;
    private final int seed;
    private @Nullable Engine engine;
    private @Nullable Placing placing;
    private int lines;

    Looking(PlacementPolicy policy, int seed) {
      this.policy = policy;
      this.seed = seed;
    }

    Placing placing(Engine its) {
      engine = its;
      placing = new Placing(its, policy);
      return placing;
    }

    @Override
    public void left(Stay stay, Ending ending) {}

    @Override
    public void waiting(long now, int count) {
      Engine its = Objects.requireNonNull(engine);
      Placing rule = Objects.requireNonNull(placing);
      Machines machines = its.machines();
      for (int busy = 0; busy < machines.size(); busy++) {
        if (rule.line(busy).isEmpty()) {
          continue;
        }
        lines++;
        for (int device = 0; device < machines.size(); device++) {
          boolean idles =
              machines.isFree(device)
                  && machines.handicap(device) == 0
                  && machines.running(device) < machines.spec(device).limits().sessions();
          int task = rule.line(busy).first();
          while (task != Tasks.NONE && its.tasks().failedOn(task) == device) {
            task = its.tasks().next(task);
          }
          if (idles && task != Tasks.NONE) {
            assertThat(policy.takes(rule.view().of(task, true), device, busy))
                .as("%s, seed %d, %d ns: %d for %d", policy.name(), seed, now, device, busy)
                .isFalse();
          }
        }
      }
    }
  }
}
