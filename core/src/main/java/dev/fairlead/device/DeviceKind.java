package dev.fairlead.device;

import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The kind of thing that a device is, by name: one of those here, or a backend's own, such as
 * {@code npu}. Devices are labelled by it.
 */
public record DeviceKind(String name) {
  /** What a label and a term of a selection can hold: no colon, comma, star, at sign or space. */
  static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]*");

  public static final DeviceKind CUDA = new DeviceKind("cuda");
  public static final DeviceKind OPENCL = new DeviceKind("opencl");
  public static final DeviceKind ENCODER = new DeviceKind("encoder");
  public static final DeviceKind CPU = new DeviceKind("cpu");

  /** Not hardware: a device of a simulation or a test, always labelled as such. */
  public static final DeviceKind SIMULATED = new DeviceKind("simulated");

  private static final Map<String, DeviceKind> KNOWN =
      Stream.of(CUDA, OPENCL, ENCODER, CPU, SIMULATED)
          .collect(Collectors.toUnmodifiableMap(DeviceKind::name, Function.identity()));

  public DeviceKind {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "A kind of device is written in lower-case letters, digits, dots and dashes, such as npu:"
              + " \"%s\"".formatted(name));
    }
  }

  public static DeviceKind of(String name) {
    DeviceKind known = KNOWN.get(name);
    return known == null ? new DeviceKind(name) : known;
  }

  /** Whether it is hardware apart from the processor: every kind but the CPU and the simulated. */
  public boolean isAccelerator() {
    return !equals(CPU) && !equals(SIMULATED);
  }

  @Override
  public String toString() {
    return name;
  }
}
