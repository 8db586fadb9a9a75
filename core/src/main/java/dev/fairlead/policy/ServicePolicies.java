package dev.fairlead.policy;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/** The service policies that come with Fairlead. */
public final class ServicePolicies {
  /** Where every policy is registered: what lists policies, or finds one by name, reads it here. */
  private static final List<ServicePolicy> ALL =
      List.of(new AnyRung(), new Helpers(), new PerRung());

  private ServicePolicies() {}

  /** Every device serves every group: oldest unit first, then the one that takes longest. */
  public static ServicePolicy anyRung() {
    return the(AnyRung.class);
  }

  /** Each group has its devices; one that has nothing left joins the group with most to do. */
  public static ServicePolicy helpers() {
    return the(Helpers.class);
  }

  /** Each group has its devices, and they do nothing else. */
  public static ServicePolicy perRung() {
    return the(PerRung.class);
  }

  /** Shares devices between tenants by weight; of a job's units another policy picks one. */
  public static FairPolicy fair(ServicePolicy inner) {
    return new FairPolicy(Objects.requireNonNull(inner, "inner is null"));
  }

  public static List<ServicePolicy> all() {
    return ALL;
  }

  /** The names of all, in their order. */
  public static List<String> names() {
    return ALL.stream().map(ServicePolicy::name).toList();
  }

  /** The policy of that name, such as {@code any-rung}, if there is one. */
  public static Optional<ServicePolicy> find(String name) {
    String wanted = name.strip().toLowerCase(Locale.ROOT);
    return ALL.stream().filter(policy -> policy.name().equals(wanted)).findFirst();
  }

  /** The same, where there must be one. */
  public static ServicePolicy named(String name) {
    return find(name)
        .orElseThrow(() ->
            new IllegalArgumentException(
                "There is no service policy \"%s\"; there are %s"
                    .formatted(name, String.join(", ", names()))));
  }

  private static ServicePolicy the(Class<? extends ServicePolicy> kind) {
    return ALL.stream().filter(kind::isInstance).findFirst().orElseThrow();
  }
}
