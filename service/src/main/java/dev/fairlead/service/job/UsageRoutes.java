package dev.fairlead.service.job;

import dev.fairlead.service.http.Answer;
import dev.fairlead.service.http.Call;
import dev.fairlead.service.http.Problem;
import dev.fairlead.service.http.Role;
import dev.fairlead.service.http.Route;
import dev.fairlead.service.http.Status;
import dev.fairlead.service.index.Index;
import dev.fairlead.service.index.UsageTable;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The route by which others account for what tenants have used. */
public final class UsageRoutes {
  private static final int USUAL_PAGE = 1_000;
  private static final int LARGEST_PAGE = 10_000;
  private static final String SEPARATOR = "/"; // no tenant has it in its name

  private final UsageTable usage;

  /**
   * What was used in a time.
   *
   * @param tenants the sums of all jobs that ended in it
   * @param jobs a page of them, by tenant
   * @param next for {@code after}, if there are more
   */
  record Usage(
      Instant from,
      Instant to,
      List<UsageTable.Sum> tenants,
      List<UsageTable.Used> jobs,
      Optional<String> next) {}

  public UsageRoutes(Index index) {
    this.usage = new UsageTable(index);
  }

  public List<Route> all() {
    return List.of(
        Route.get(
                "/v1/usage",
                Role.READ,
                "What tenants have used: a row for each job that ended in a time",
                Usage.class,
                this::usage)
            .withQuery(
                Map.of(
                    "from", "a moment or a day, 2026-11-01; left out, from the first job on",
                    "to", "the first moment or day after it; left out, until now",
                    "limit", "how many jobs, up to 10000",
                    "after", "the next of the page before")));
  }

  private Answer usage(Call call) {
    Instant from = moment(call, "from").orElse(Instant.EPOCH);
    Instant to = moment(call, "to").orElseGet(Instant::now);
    int limit = call.number("limit", USUAL_PAGE, 1, LARGEST_PAGE);
    UsageTable.Span span = new UsageTable.Span(from, to);
    Optional<UsageTable.Place> after = call.query("after").map(UsageRoutes::place);
    List<UsageTable.Used> page = usage.jobs(span, after, limit + 1);
    boolean more = page.size() > limit;
    List<UsageTable.Used> shown = more ? page.subList(0, limit) : page;
    Optional<String> next =
        more
            ? Optional.of(shown.getLast().tenant() + SEPARATOR + shown.getLast().job())
            : Optional.empty();
    return Answer.json(new Usage(from, to, usage.sums(span), shown, next));
  }

  private static UsageTable.Place place(String after) {
    int end = after.indexOf(SEPARATOR);
    if (end < 0) {
      throw Problem.of(
          Status.BAD_REQUEST, "after is \"%s\"; it is the next of a page".formatted(after));
    }
    return new UsageTable.Place(after.substring(0, end), after.substring(end + 1));
  }

  private static Optional<Instant> moment(Call call, String name) {
    return call.query(name).map(text -> moment(name, text));
  }

  /** A day is its first moment in UTC. */
  private static Instant moment(String name, String text) {
    try {
      Instant moment =
          text.contains("T")
              ? Instant.parse(text)
              : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
      return Instant.ofEpochMilli(moment.toEpochMilli()); // as the ends of jobs are kept
    } catch (DateTimeException | ArithmeticException wrong) {
      throw Problem.of(
          Status.BAD_REQUEST,
          "%s is \"%s\"; it can be a day, 2026-11-01, or a moment, 2026-11-01T12:00:00Z"
              .formatted(name, text));
    }
  }
}
