package dev.fairlead.simulator.workload;

import dev.fairlead.policy.Tenant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Many ladders that wait from the beginning: jobs of tenants, dealt in turn. A job has between half
 * and one and a half times as many chunks as usual.
 *
 * @param usual what a job is like
 */
public record Tenancy(List<Tenant> tenants, int jobs, Ladder usual) implements Workload {
  private static final int MOST_TENANTS = 10_000;
  private static final int MOST_UNITS = 10_000_000;
  private static final Pattern TERM =
      Pattern.compile("(?:(\\d{1,5})\\s*[x×]\\s*)?([\\p{Alpha}_][\\w.-]*)\\s*:\\s*(\\S+)");

  public Tenancy {
    tenants = List.copyOf(tenants);
    if (tenants.isEmpty()) {
      throw new IllegalArgumentException("there is no tenant");
    }
    if (jobs < tenants.size()) {
      throw new IllegalArgumentException(
          "%d jobs are fewer than %d tenants".formatted(jobs, tenants.size()));
    }
    if ((long) jobs * usual.chunks() * usual.rungs().size() > MOST_UNITS) {
      throw new IllegalArgumentException(
          "%d jobs of %d chunks on %d rungs are more than %d units"
              .formatted(jobs, usual.chunks(), usual.rungs().size(), MOST_UNITS));
    }
  }

  /** Tenants as text: {@code a:3,b:1} is name : weight, {@code 5xgold:4} are five of them. */
  public static List<Tenant> parse(String text) {
    List<Tenant> tenants = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (String term : text.split(",", -1)) {
      Matcher parts = TERM.matcher(term.strip());
      if (!parts.matches()) {
        throw new IllegalArgumentException(
            "tenant \"%s\" is not NAME:WEIGHT or COUNTxNAME:WEIGHT, such as a:3"
                .formatted(term.strip()));
      }
      if (!names.add(parts.group(2))) {
        throw new IllegalArgumentException(
            "tenant \"%s\": the name is given twice".formatted(parts.group(2)));
      }
      double weight = weight(parts.group(2), parts.group(3));
      int count = parts.group(1) == null ? 1 : Integer.parseInt(parts.group(1));
      if (count < 1 || count > MOST_TENANTS - tenants.size()) {
        throw new IllegalArgumentException("there are 1 to %d tenants".formatted(MOST_TENANTS));
      }
      for (int each = 1; each <= count; each++) {
        String name = parts.group(1) == null ? parts.group(2) : parts.group(2) + "-" + each;
        tenants.add(new Tenant(name, weight));
      }
    }
    return tenants;
  }

  private static double weight(String name, String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException bad) {
      throw new IllegalArgumentException(
          "The weight of tenant %s is not a number: \"%s\"".formatted(name, text), bad);
    }
  }

  /** The index of the tenant whose job it is. */
  public int tenantOf(int job) {
    return job % tenants.size();
  }

  @Override
  public String name() {
    return "ladders of %d tenants".formatted(tenants.size());
  }

  @Override
  public List<String> kinds() {
    return usual.kinds();
  }

  @Override
  public boolean isLadder() {
    return true;
  }

  @Override
  public Stream open(long seed, double capacity) {
    Draws lengths = new Draws(seed, 6);
    return new Stream() {
      private int job = -1;
      private long before;
      private long last = -1;
      private Stream units = _ -> false;

      @Override
      public boolean next(Arrival arrival) {
        while (!units.next(arrival)) {
          if (++job == jobs) {
            return false;
          }
          before = last + 1;
          int chunks = (int) Math.max(1, Math.round(usual.chunks() * (0.5 + lengths.uniform())));
          units =
              new Ladder(usual.rungs(), chunks, usual.chunkSeconds(), usual.hardness())
                  .open(seed + 31L * job, capacity);
        }
        arrival.job = job;
        arrival.order += before;
        last = arrival.order;
        return true;
      }
    };
  }
}
