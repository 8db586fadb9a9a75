package dev.fairlead.device;

/** Something that a device can do, by name: {@code compute}, {@code encode:av1}. */
public record Capability(String name) {
  public static final Capability COMPUTE = new Capability("compute");

  /** The device computes on the processor's own cores, which CPU lanes use as well. */
  public static final Capability HOST_CORES = new Capability("host-cores");

  public Capability {
    if (name.isBlank()) {
      throw new IllegalArgumentException("A capability has a name");
    }
  }

  public static Capability of(String name) {
    return new Capability(name);
  }

  @Override
  public String toString() {
    return name;
  }
}
