package dev.fairlead.device;

/** Something that a device can do, by name: {@code compute}, {@code encode:av1}. */
public record Capability(String name) {
  public static final Capability COMPUTE = new Capability("compute");

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
