package dev.fairlead.policy;

/**
 * What is to be done, as far as cost goes: a kind of work, and how much of it. Work of one kind
 * costs a device about the same per unit of size.
 */
public record Work(String kind, double size) {
  private static final Work UNSPECIFIED = new Work("", 1);

  public Work {
    if (!(size > 0) || Double.isInfinite(size)) {
      throw new IllegalArgumentException("size is not a positive number: " + size);
    }
    if (kind.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException("kind holds a control character: " + kind);
    }
  }

  public static Work of(String kind, double size) {
    return new Work(kind, size);
  }

  /** One item of no kind in particular: its cost is not learned apart from the device's rate. */
  public static Work unspecified() {
    return UNSPECIFIED;
  }

  public boolean isSpecified() {
    return !kind.isEmpty();
  }

  @Override
  public String toString() {
    String amount = size == (int) size ? String.valueOf((int) size) : String.valueOf(size);
    return (isSpecified() ? kind : "work") + " of size " + amount;
  }
}
