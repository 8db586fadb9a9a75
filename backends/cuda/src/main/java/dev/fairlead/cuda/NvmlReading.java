package dev.fairlead.cuda;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What NVML says of a device at one moment, for people to read.
 *
 * @param gauges what the device measures; not every device has them all
 */
record NvmlReading(Map<Gauge, Long> gauges, NvmlUsers users) {

  /** Something that a device measures. */
  enum Gauge {
    UTILIZATION,
    TEMPERATURE,
    POWER,
    ECC_ERRORS
  }

  NvmlReading {
    gauges = gauges.isEmpty() ? Map.of() : new EnumMap<>(gauges);
  }

  Map<String, String> details() {
    Map<String, String> details = new LinkedHashMap<>();
    gauges.forEach((gauge, value) -> {
      switch (gauge) {
        case UTILIZATION -> details.put("utilization", value + " %");
        case TEMPERATURE -> details.put("temperature", value + " °C");
        case POWER -> details.put("power", Math.round(value / 1e3) + " W");
        case ECC_ERRORS -> details.put("uncorrected ECC errors", String.valueOf(value));
      }
    });
    details.put("compute processes", String.valueOf(users.computing().size()));
    details.put("encoder sessions", String.valueOf(users.encoding().size()));
    return details;
  }
}
