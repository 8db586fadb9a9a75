package dev.fairlead.media.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.host.StartOrder.Job;
import dev.fairlead.media.host.StartOrder.Standing;
import dev.fairlead.media.records.JobId;
import dev.fairlead.policy.FairShares;
import dev.fairlead.policy.Priority;
import dev.fairlead.policy.Tenant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Random hosts, a round for each ten seconds: jobs that were parked leave with the next round, and
 * a job is settled after three.
 */
class StartOrderPropertyTest {
  private static final long SEED = Long.getLong("fairlead.seed", 7_919);
  private static final int CASES = Boolean.getBoolean("fairlead.full") ? 5_000 : 500;
  private static final int SETTLED = 3;

  /** A job of the model. */
  private static final class ModelJob {
    private final JobId id = JobId.create();
    private final Tenant tenant;
    private final Priority priority;
    private Standing standing = Standing.WAITING;
    private int rounds;

    ModelJob(Tenant tenant, Priority priority) {
      this.tenant = tenant;
      this.priority = priority;
    }

    Job job() {
      boolean fresh = standing == Standing.RUNNING && rounds < SETTLED;
      return new Job(id, tenant, priority, fresh ? Standing.STARTED : standing);
    }

    boolean waits() {
      return standing == Standing.WAITING || standing == Standing.NEXT;
    }
  }

  /** A host of so many places. */
  private static final class Model {
    private final int places;
    private final Map<JobId, ModelJob> jobs = new HashMap<>();
    private final Map<String, Double> times = new HashMap<>();
    private int parks;

    Model(int places) {
      this.places = places;
    }

    void add(ModelJob job) {
      jobs.put(job.id, job);
    }

    FairShares shares() {
      return new FairShares(
          0,
          times.entrySet().stream()
              .map(each -> new FairShares.Share(Tenant.of(each.getKey()), each.getValue(), 0, true))
              .toList());
    }

    StartOrder order() {
      return new StartOrder(jobs.values().stream().map(ModelJob::job).toList(), shares());
    }

    long placesTaken() {
      return jobs.values().stream().filter(job -> !job.waits()).count();
    }

    boolean holds(String tenant) {
      return jobs.values().stream()
          .anyMatch(job -> job.tenant.name().equals(tenant) && !job.waits());
    }

    Set<String> tenants() {
      return jobs.values().stream().map(job -> job.tenant.name()).collect(Collectors.toSet());
    }

    void round() {
      for (ModelJob job : jobs.values()) {
        if (job.standing == Standing.PARKING) {
          job.standing = Standing.WAITING;
        } else if (job.standing == Standing.RUNNING) {
          job.rounds++;
          times.merge(job.tenant.name(), 10 / job.tenant.weight(), Double::sum);
        }
      }
      while (start() || park()) {}
    }

    private ModelJob model(Job job) {
      return Optional.ofNullable(jobs.get(job.id())).orElseThrow();
    }

    private boolean start() {
      Optional<Job> next = order().waiting().stream().findFirst();
      if (next.isEmpty() || placesTaken() >= places) {
        return false;
      }
      ModelJob starts = model(next.get());
      starts.standing = Standing.RUNNING;
      starts.rounds = 0;
      return true;
    }

    private boolean park() {
      StartOrder order = order();
      for (Job waits : order.waiting()) {
        if (waits.standing() == Standing.WAITING) {
          Optional<Job> parked = order.toPark(waits);
          if (parked.isPresent()) {
            model(parked.get()).standing = Standing.PARKING;
            model(waits).standing = Standing.NEXT;
            parks++;
            return true;
          }
        }
      }
      return false;
    }
  }

  private interface Case {
    void run(Model model, SplittableRandom random);
  }

  private static void each(Case property) {
    for (long seed = SEED; seed < SEED + CASES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      try {
        property.run(new Model(1 + random.nextInt(12)), random);
      } catch (AssertionError failure) {
        throw new AssertionError("Run again with -Dfairlead.seed=" + seed, failure);
      }
    }
  }

  private static List<Tenant> tenants(SplittableRandom random, int most) {
    List<Tenant> tenants = new ArrayList<>();
    int number = 1 + random.nextInt(most);
    for (int each = 0; each < number; each++) {
      tenants.add(new Tenant("t" + each, random.nextBoolean() ? 1 : random.nextDouble(0.01, 50)));
    }
    return tenants;
  }

  private static void addJobs(Model model, List<Tenant> tenants, SplittableRandom random) {
    int jobs = 1 + random.nextInt(20);
    for (int each = 0; each < jobs; each++) {
      model.add(
          new ModelJob(
              tenants.get(random.nextInt(tenants.size())),
              Priority.values()[random.nextInt(Priority.values().length)]));
    }
  }

  /** Each tenant gives and gets no more places than there are, and each job's place once a rank. */
  @Test
  void withoutArrivalsAndEndsAllComesToRest() {
    each((model, random) -> {
      List<Tenant> tenants = tenants(random, 8);
      for (int wave = 0; wave < 3; wave++) {
        addJobs(model, tenants, random);
        for (int round = 0; round < 1 + random.nextInt(8); round++) {
          model.round();
        }
      }
      for (int round = 0; round < 60; round++) {
        model.round();
      }
      int before = model.parks;
      for (int round = 0; round < 60; round++) {
        model.round();
      }
      assertThat(model.parks).as("parks at rest").isEqualTo(before);
      assertThat(before).as("parks in all").isLessThanOrEqualTo(4 * model.jobs.size());
    });
  }

  @Test
  void aTenantThatWaitsHasAPlaceSoonWhereThereAreEnough() {
    each((model, random) -> {
      List<Tenant> tenants = tenants(random, model.places);
      for (int wave = 0; wave < 3; wave++) {
        addJobs(model, tenants, random);
        for (int round = 0; round <= SETTLED + 1; round++) {
          model.round();
        }
        assertThat(model.tenants()).allMatch(model::holds);
      }
    });
  }

  /** With more tenants than places, each waits for as many ends as there are tenants, at most. */
  @Test
  void everyTenantHasItsTurnWhereThereAreTooFewPlaces() {
    each((model, random) -> {
      List<Tenant> tenants = tenants(random, 20);
      addJobs(model, tenants, random);
      addJobs(model, tenants, random);
      Set<String> served = new HashSet<>();
      for (int ends = 0; ends <= tenants.size(); ends++) {
        for (int round = 0; round <= SETTLED + 1; round++) {
          model.round();
        }
        model.tenants().stream().filter(model::holds).forEach(served::add);
        List<ModelJob> running =
            model.jobs.values().stream()
                .filter(job -> job.standing == Standing.RUNNING)
                .sorted((one, other) -> one.id.compareTo(other.id))
                .toList();
        if (!running.isEmpty()) {
          ModelJob over = running.get(random.nextInt(running.size()));
          model.jobs.remove(over.id);
          // Its tenant has another one at once: those that never held a place come first.
          model.add(new ModelJob(over.tenant, Priority.HIGH));
        }
      }
      assertThat(served).containsAll(model.tenants());
    });
  }
}
