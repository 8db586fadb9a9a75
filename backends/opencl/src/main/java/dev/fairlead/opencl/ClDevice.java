package dev.fairlead.opencl;

import dev.fairlead.device.Vendor;
import java.util.List;
import java.util.Locale;

/**
 * A device as its driver describes it. It goes from the process that looks for devices to the one
 * that uses them as a line of text.
 *
 * @param platform the number of its platform, in the order of the loader
 * @param index its number among the devices of its platform
 * @param key what identifies it for good; empty where the driver has nothing of the kind
 * @param pciAddress where its card is plugged in; empty where the driver does not tell
 */
record ClDevice(
    int platform,
    int index,
    String platformName,
    String name,
    String vendorName,
    boolean onHostCores,
    long memoryBytes,
    int computeUnits,
    String version,
    String driver,
    String key,
    String pciAddress) {
  private static final String SEPARATOR = "\t";

  String toLine() {
    return String.join(
        SEPARATOR,
        List.of(
            String.valueOf(platform),
            String.valueOf(index),
            clean(platformName),
            clean(name),
            clean(vendorName),
            String.valueOf(onHostCores),
            String.valueOf(memoryBytes),
            String.valueOf(computeUnits),
            clean(version),
            clean(driver),
            clean(key),
            clean(pciAddress)));
  }

  private static String clean(String text) {
    return text.replaceAll("\\s+", " ").strip();
  }

  static ClDevice ofLine(String line) {
    List<String> fields = List.of(line.split(SEPARATOR, -1));
    return new ClDevice(
        Integer.parseInt(fields.get(0)),
        Integer.parseInt(fields.get(1)),
        fields.get(2),
        fields.get(3),
        fields.get(4),
        Boolean.parseBoolean(fields.get(5)),
        Long.parseLong(fields.get(6)),
        Integer.parseInt(fields.get(7)),
        fields.get(8),
        fields.get(9),
        fields.get(10),
        fields.get(11));
  }

  /** Processors belong to no family: what encodes on a GPU of their maker does not on them. */
  Vendor vendor() {
    String text = vendorName.toLowerCase(Locale.ROOT);
    if (onHostCores) {
      return Vendor.OTHER;
    } else if (text.contains("nvidia")) {
      return Vendor.NVIDIA;
    } else if (text.contains("amd") || text.contains("advanced micro")) {
      return Vendor.AMD;
    } else {
      return text.contains("intel") ? Vendor.INTEL : Vendor.OTHER;
    }
  }
}
