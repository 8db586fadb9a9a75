package dev.fairlead.cuda;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What NVML says of a device at one moment.
 *
 * @param gauges what the device measures; not every device has them all
 * @param computing the processes that compute on it
 * @param encoding the process of each encoder session on it
 */
record NvmlReading(Map<Gauge, Long> gauges, List<Integer> computing, List<Integer> encoding) {

  /** Something that a device measures. */
  enum Gauge {
    UTILIZATION,
    TEMPERATURE,
    POWER,
    ECC_ERRORS
  }

  NvmlReading {
    gauges = gauges.isEmpty() ? Map.of() : new EnumMap<>(gauges);
    computing = List.copyOf(computing);
    encoding = List.copyOf(encoding);
  }

  /** Computing processes and encoder sessions that are not of this process. */
  int foreignStreams(long self) {
    return others(computing, self) + others(encoding, self);
  }

  private static int others(List<Integer> pids, long self) {
    return (int) pids.stream().filter(pid -> Integer.toUnsignedLong(pid) != self).count();
  }

  /** For people to read. */
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
    details.put("compute processes", String.valueOf(computing.size()));
    details.put("encoder sessions", String.valueOf(encoding.size()));
    return details;
  }
}
