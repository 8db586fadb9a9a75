package dev.fairlead.policy;

/**
 * Whose jobs they are: devices are shared between tenants by weight, whatever number of jobs each
 * of them has.
 *
 * @param weight what the tenant is due of the devices beside others that have work
 */
public record Tenant(String name, double weight) {
  public Tenant {
    if (name.isBlank() || name.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "A tenant's name is blank or holds a control character: \"" + name + "\"");
    }
    if (!(weight > 0) || Double.isInfinite(weight)) {
      throw new BadWeight(name, weight);
    }
  }

  /** A weight by which nothing can be shared: zero, below it, or no number. */
  public static final class BadWeight extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private BadWeight(String name, double weight) {
      super("The weight of tenant %s is not a positive number: %s".formatted(name, weight));
    }
  }

  /** A tenant of weight one. */
  public static Tenant of(String name) {
    return new Tenant(name, 1);
  }
}
