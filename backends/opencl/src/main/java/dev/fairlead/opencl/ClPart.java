package dev.fairlead.opencl;

import dev.fairlead.device.BadTermException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.CRC32;

/**
 * A device, or one of the equal parts that it was divided into.
 *
 * @param ordinal its number, such as the 1 of {@code opencl:1}
 * @param number which part it is; 0 for a whole device
 * @param of how many parts there are; 1 for a whole device
 * @param twin how many devices before it look the same and cannot be told apart
 */
record ClPart(ClDevice whole, int ordinal, int number, int of, int twin) {

  /** The devices as they are, in their order. */
  static List<ClPart> wholes(List<ClDevice> devices) {
    Map<String, Integer> seen = new HashMap<>();
    List<ClPart> wholes = new ArrayList<>();
    for (ClDevice device : devices) {
      int twin = seen.merge(identity(device), 1, Integer::sum) - 1;
      wholes.add(new ClPart(device, wholes.size(), 0, 1, twin));
    }
    return wholes;
  }

  /**
   * Equal parts of this device.
   *
   * @param first the number that the first part gets
   */
  List<ClPart> parts(int count, int first) {
    if (count == 1) {
      return List.of(this);
    }
    if (count > whole.computeUnits()) {
      throw new BadTermException(
          "%s has %d compute units, and cannot be divided into %d parts"
              .formatted(whole.name(), whole.computeUnits(), count));
    }
    return IntStream.range(0, count)
        .mapToObj(part -> new ClPart(whole, first + part, part, count, twin))
        .toList();
  }

  int computeUnits() {
    return whole.computeUnits() / of;
  }

  /** The same tomorrow: what the driver calls it by, or else what it looks like. */
  String id() {
    String base = identity(whole) + (twin == 0 ? "" : "-" + twin);
    return of == 1 ? base : base + "/" + of + "." + number;
  }

  private static String identity(ClDevice device) {
    if (!device.key().isEmpty() && !device.onHostCores()) {
      return device.key();
    }
    CRC32 sum = new CRC32();
    String looks = device.platformName() + '\n' + device.vendorName() + '\n' + device.name();
    sum.update(looks.getBytes(StandardCharsets.UTF_8));
    return "CL-" + HexFormat.of().toHexDigits(sum.getValue(), 8);
  }

  String name() {
    int units = computeUnits();
    return "%s%s, %s, %d compute unit%s%s"
        .formatted(
            of == 1 ? "" : "part %d of %d of ".formatted(number + 1, of),
            whole.name(),
            version(),
            units,
            units == 1 ? "" : "s",
            whole.onHostCores() ? ", on the same cores as the CPU lanes" : "");
  }

  /** Of "OpenCL 3.0 PoCL HSTR: …", the version and the driver. */
  private String version() {
    String[] words = whole.version().split(" ", 3);
    return (words.length > 1 ? words[0] + " " + words[1] : whole.version())
        + " by "
        + whole.platformName()
        + " "
        + whole.driver();
  }
}
