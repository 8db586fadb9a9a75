package dev.fairlead.device;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A family of devices that share drivers and codecs, by name: one of those here, or another, such
 * as {@code qualcomm}. CPU lanes belong to {@link #OTHER}.
 */
public record Vendor(String name) {
  public static final Vendor NVIDIA = new Vendor("nvidia");
  public static final Vendor AMD = new Vendor("amd");
  public static final Vendor INTEL = new Vendor("intel");

  /** No vendor in particular: it is no term of a selection. */
  public static final Vendor OTHER = new Vendor("other");

  private static final Map<String, Vendor> KNOWN =
      Stream.of(NVIDIA, AMD, INTEL, OTHER)
          .collect(Collectors.toUnmodifiableMap(Vendor::name, Function.identity()));

  public Vendor {
    if (!DeviceKind.NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "A vendor is written in lower-case letters, digits, dots and dashes, such as qualcomm:"
              + " \"%s\"".formatted(name));
    }
  }

  public static Vendor of(String name) {
    Vendor known = KNOWN.get(name);
    return known == null ? new Vendor(name) : known;
  }

  /** Whether it is the vendor of that name in a selection; never {@link #OTHER}. */
  boolean isNamed(String term) {
    return name.equals(term) && !equals(OTHER);
  }

  /** Whether a selection may name it though none of its devices is there. */
  static boolean isKnown(String term) {
    Vendor known = KNOWN.get(term);
    return known != null && known.isNamed(term);
  }

  @Override
  public String toString() {
    return name;
  }
}
