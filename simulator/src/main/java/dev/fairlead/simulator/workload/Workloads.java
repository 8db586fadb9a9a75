package dev.fairlead.simulator.workload;

import java.util.List;

/** The workloads that come with the simulator. */
public final class Workloads {
  private static final List<String> TASK = List.of("task");
  private static final double TAIL_SHAPE = 1.5;
  private static final double TAIL_LENGTH = 1000;

  private Workloads() {}

  /** Many independent tasks: how many, and at which part of what the devices can do. */
  public record Flow(long count, double load, double noise) {
    public Flow {
      if (count < 1) {
        throw new IllegalArgumentException("count is less than one: " + count);
      }
      if (!(load > 0) || Double.isInfinite(load)) {
        throw new IllegalArgumentException("load is not a positive number: " + load);
      }
      if (!(noise >= 0) || noise > 3) {
        throw new IllegalArgumentException("noise is not within 0 and 3: " + noise);
      }
    }
  }

  /** Draws how large a task is, of mean one. */
  private interface Sizes {
    double draw(Draws draws);
  }

  /** Tasks that come independently of each other, exponential in size. */
  public static Workload poisson(Flow flow) {
    return tasks("poisson", flow, 1, draws -> draws.exponential(1));
  }

  /** As many tasks at a time as would keep each device busy with {@code depth}, now and then. */
  public static Workload burst(Flow flow, int depth) {
    if (depth < 1) {
      throw new IllegalArgumentException("depth is less than one: " + depth);
    }
    return tasks("burst", flow, -depth, draws -> draws.exponential(1));
  }

  /** Tasks that come independently, most of them small, a few a thousand times as large. */
  public static Workload heavyTail(Flow flow) {
    return tasks("heavy-tail", flow, 1, draws -> draws.boundedPareto(TAIL_SHAPE, TAIL_LENGTH));
  }

  /** All at once; exponential in size. */
  public static Workload batch(Flow flow) {
    return tasks("batch", flow, 0, draws -> draws.exponential(1));
  }

  /** One range of units that are of one size, and differ in cost by the noise. */
  public static Workload range(Flow flow) {
    Workload units = tasks("range", flow, 0, draws -> 1);
    return new Workload() {
      @Override
      public String name() {
        return units.name();
      }

      @Override
      public List<String> kinds() {
        return units.kinds();
      }

      @Override
      public boolean isRange() {
        return true;
      }

      @Override
      public Stream open(long seed, double capacity) {
        return units.open(seed, capacity);
      }
    };
  }

  /** Work that is given, as it is. */
  public static Workload given(String name, List<String> kinds, List<Given> units) {
    List<Given> all = List.copyOf(units);
    List<String> names = List.copyOf(kinds);
    return new Workload() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public List<String> kinds() {
        return names;
      }

      @Override
      public boolean isLadder() {
        return true;
      }

      @Override
      public Stream open(long seed, double capacity) {
        var rest = all.iterator();
        return arrival -> {
          if (!rest.hasNext()) {
            return false;
          }
          Given next = rest.next();
          arrival.seconds = next.seconds;
          arrival.group = next.group;
          arrival.order = next.order;
          arrival.size = next.size;
          arrival.cost = next.cost;
          arrival.memoryBytes = 0;
          return true;
        };
      }
    };
  }

  /** One unit of given work; see {@link Arrival} for what the parts mean. */
  public record Given(double seconds, int group, long order, double size, double cost) {}

  /**
   * {@code together}: how many come at a time; 0 for all, negative for so many times the devices'
   * speed.
   */
  private static Workload tasks(String name, Flow flow, int together, Sizes sizes) {
    return new Workload() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public List<String> kinds() {
        return TASK;
      }

      @Override
      public Stream open(long seed, double capacity) {
        long group =
            together == 0
                ? Long.MAX_VALUE
                : together > 0 ? together : Math.max(1, Math.round(-together * capacity));
        return stream(flow, group, sizes, seed, capacity);
      }
    };
  }

  private static Workload.Stream stream(
      Flow flow, long together, Sizes sizes, long seed, double capacity) {
    Draws times = new Draws(seed, 1);
    Draws amounts = new Draws(seed, 2);
    Draws noises = new Draws(seed, 3);
    boolean atOnce = together == Long.MAX_VALUE;
    double between = together / (flow.load * capacity);
    return new Workload.Stream() {
      private long sent;
      private double now;

      @Override
      public boolean next(Arrival arrival) {
        if (sent == flow.count) {
          return false;
        }
        if (!atOnce && sent % together == 0) {
          now += times.exponential(between);
        }
        arrival.seconds = now;
        arrival.group = 0;
        arrival.order = sent++;
        arrival.size = Math.max(1e-9, sizes.draw(amounts));
        arrival.cost = arrival.size * noises.lognormal(flow.noise);
        arrival.memoryBytes = 0;
        return true;
      }
    };
  }
}
