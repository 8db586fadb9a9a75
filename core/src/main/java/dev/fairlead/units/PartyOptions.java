package dev.fairlead.units;

import dev.fairlead.policy.Priority;
import dev.fairlead.policy.Tenant;
import java.time.Instant;
import java.util.Objects;

/**
 * As what a job joins a unit queue.
 *
 * @param name how the party is called where it is spoken of, such as the id of the job
 * @param groups its units are of the groups {@code [0, groups)}
 * @param tenant whose job it is; of several parties of a tenant the one that joined last says its
 *     weight
 * @param priority how urgent it is among the jobs of its tenant
 * @param since when the job came: the older of two goes first
 * @param service how it is served
 */
public record PartyOptions(
    String name,
    int groups,
    Tenant tenant,
    Priority priority,
    Instant since,
    ServiceOptions service) {
  private static final Tenant USUAL_TENANT = Tenant.of("default");

  public PartyOptions {
    Objects.requireNonNull(name, "name is null");
    Objects.requireNonNull(tenant, "tenant is null");
    Objects.requireNonNull(priority, "priority is null");
    Objects.requireNonNull(since, "since is null");
    Objects.requireNonNull(service, "service is null");
    if (groups < 1) {
      throw new IllegalArgumentException("groups is less than one: " + groups);
    }
  }

  /** A job of the usual tenant and priority that comes now. */
  public static PartyOptions of(String name, int groups) {
    return new PartyOptions(
        name, groups, USUAL_TENANT, Priority.NORMAL, Instant.now(), ServiceOptions.usual());
  }

  public PartyOptions withTenant(Tenant value) {
    return new PartyOptions(name, groups, value, priority, since, service);
  }

  public PartyOptions withPriority(Priority value) {
    return new PartyOptions(name, groups, tenant, value, since, service);
  }

  /** For a job that came before, say one that goes on after a restart. */
  public PartyOptions withSince(Instant value) {
    return new PartyOptions(name, groups, tenant, priority, value, service);
  }

  public PartyOptions withService(ServiceOptions value) {
    return new PartyOptions(name, groups, tenant, priority, since, value);
  }
}
