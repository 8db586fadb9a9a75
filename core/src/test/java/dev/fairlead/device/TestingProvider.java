package dev.fairlead.device;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/** A provider that finds what a test gives it, and remembers what it was asked for. */
class TestingProvider implements DeviceProvider {
  private final String scheme;
  private final Supplier<List<Device>> devices;
  final List<List<String>> asked = new ArrayList<>();

  TestingProvider(String scheme, Supplier<List<Device>> devices) {
    this.scheme = scheme;
    this.devices = devices;
  }

  static TestingProvider of(String scheme, Device... devices) {
    return new TestingProvider(scheme, () -> Arrays.asList(devices));
  }

  static TestingProvider throwing(String scheme, RuntimeException failure) {
    return new TestingProvider(
        scheme,
        () -> {
          throw failure;
        });
  }

  static TestingProvider failing(String scheme, Error failure) {
    return new TestingProvider(
        scheme,
        () -> {
          throw failure;
        });
  }

  @Override
  public String scheme() {
    return scheme;
  }

  @Override
  public Discovery discover(List<String> terms) {
    asked.add(List.copyOf(terms));
    return Discovery.of(this, devices.get());
  }

  @Override
  public DeviceContext open(Device device) {
    return DeviceContext.none();
  }

  /** For the service loader: finds one device. */
  public static final class Working extends TestingProvider {
    public Working() {
      super("working", () -> List.of(Device.of(DeviceKind.SIMULATED, 0)));
    }
  }

  /** For the service loader: its library is missing. */
  public static final class Unlinked extends TestingProvider {
    public Unlinked() {
      super("unlinked", List::of);
      throw new UnsatisfiedLinkError("libnothing.so.1 is not there");
    }
  }

  /** For the service loader: cannot be made. */
  public static final class Broken extends TestingProvider {
    public Broken() {
      super("broken", List::of);
      throw new IllegalStateException("broken for good");
    }
  }
}
