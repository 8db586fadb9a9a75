package dev.fairlead.device;

/** A version of what a device can compute, ordered by major, then minor. */
public record ComputeCapability(int major, int minor) implements Comparable<ComputeCapability> {
  public ComputeCapability {
    if (major < 0 || minor < 0) {
      throw new IllegalArgumentException(
          "A compute capability is not negative: " + major + "." + minor);
    }
  }

  public static ComputeCapability of(int major, int minor) {
    return new ComputeCapability(major, minor);
  }

  public boolean isAtLeast(ComputeCapability minimum) {
    return compareTo(minimum) >= 0;
  }

  @Override
  public int compareTo(ComputeCapability other) {
    return major != other.major
        ? Integer.compare(major, other.major)
        : Integer.compare(minor, other.minor);
  }

  @Override
  public String toString() {
    return major + "." + minor;
  }
}
