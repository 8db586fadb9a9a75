package dev.fairlead.policy;

/** The answer to a demand, with its reason. */
public sealed interface Placement<T> {
  /** Run on {@code target} now. */
  record Place<T>(T target) implements Placement<T> {}

  /** Some candidate could run it, none should now; ask again when the pool changes. */
  record Wait<T>(String reason) implements Placement<T> {}

  /** No candidate can ever run it. */
  record Reject<T>(String reason) implements Placement<T> {}
}
