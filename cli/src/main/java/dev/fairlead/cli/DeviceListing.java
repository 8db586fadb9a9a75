package dev.fairlead.cli;

import dev.fairlead.device.Capability;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.Discovery.Problem;
import dev.fairlead.media.choice.CodecChoice;
import dev.fairlead.media.choice.EncoderChoice;
import dev.fairlead.media.supervise.Confinement;
import dev.fairlead.policy.Load;
import dev.fairlead.pool.PoolSnapshot.Entry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Devices as they are at one moment, for people and for programs. Memory is known to be free only
 * where the device was asked and could tell.
 *
 * @param details what backends say of their devices beside that
 * @param notices what is to be said of the profile
 */
record DeviceListing(
    List<Entry> entries,
    List<Problem> problems,
    Map<DeviceId, Map<String, String>> details,
    List<String> notices) {

  String table() {
    Table table =
        new Table(
            "<<<>>><<<<",
            "DEVICE",
            "KIND",
            "VENDOR",
            "WEIGHT",
            "BUSY/SLOTS",
            "FREE/TOTAL MiB",
            "CAPABILITIES",
            "ENCODES",
            "HEALTH",
            "NAME");
    for (Entry entry : entries) {
      Device device = entry.device();
      table.row(
          device.label(),
          device.kind().toString(),
          device.vendor().toString(),
          String.format(Locale.ROOT, "%.2f", device.weight()),
          load(entry) + "/" + device.slots(),
          (isPolled(entry) ? String.valueOf(entry.load().freeBytes() >> 20) : "?")
              + "/"
              + (device.memoryBytes() >> 20),
          String.join(",", capabilities(device)),
          String.join(",", EncoderChoice.codecs(device)),
          entry.health().toString().toLowerCase(Locale.ROOT),
          device.name());
    }
    StringBuilder text = new StringBuilder(table.toString());
    String sharing =
        entries.stream()
            .map(Entry::device)
            .filter(device -> device.features().capabilities().contains(Capability.HOST_CORES))
            .map(Device::label)
            .collect(Collectors.joining(", "));
    if (!sharing.isEmpty()) {
      text.append(sharing)
          .append(" and the CPU lanes work on the same cores: what they can do does not add up.\n");
    }
    for (Entry entry : entries) {
      Map<String, String> known = inFull(entry);
      if (!known.isEmpty()) {
        text.append(entry.device().label()).append(": ").append(inWords(known)).append('\n');
      }
    }
    text.append("Workers encode with FFmpeg ").append(ffmpeg()).append(".\n");
    notices.forEach(notice -> text.append(notice).append(".\n"));
    if (!Confinement.isPossible()) {
      text.append("Workers are not confined: this kernel has no Landlock.\n");
    }
    problems.forEach(problem -> text.append("Cannot be used: ").append(problem).append('\n'));
    return text.toString().stripTrailing();
  }

  private String ffmpeg() {
    return CodecChoice.of(entries.stream().map(Entry::device).toList()).codecs().version();
  }

  private Map<String, String> detailsOf(Entry entry) {
    return details.getOrDefault(entry.device().id(), Map.of());
  }

  /** The details of a device, and before them its id, unless that is what it is called anyway. */
  private Map<String, String> inFull(Entry entry) {
    Map<String, String> known = new LinkedHashMap<>();
    if (!entry.device().id().value().equals(entry.device().label())) {
      known.put("id", entry.device().id().value());
    }
    known.putAll(detailsOf(entry));
    return known;
  }

  private static String inWords(Map<String, String> known) {
    return known.entrySet().stream()
        .map(each -> each.getKey() + " " + each.getValue())
        .collect(Collectors.joining(", "));
  }

  private static int load(Entry entry) {
    return entry.load().queueDepth() + entry.load().activeStreams();
  }

  private static boolean isPolled(Entry entry) {
    return entry.load().sequence() > 0;
  }

  private static List<String> capabilities(Device device) {
    return device.features().capabilities().stream().map(Capability::name).sorted().toList();
  }

  private static String strings(List<String> values) {
    return values.stream().map(Json::string).collect(Collectors.joining(",", "[", "]"));
  }

  String json() {
    return "{\"devices\":%s,\"ffmpeg\":%s,\"notices\":%s,\"workersConfined\":%b,\"problems\":%s}"
        .formatted(
            entries.stream().map(this::json).collect(Collectors.joining(",", "[", "]")),
            Json.string(ffmpeg()),
            strings(notices),
            Confinement.isPossible(),
            problems.stream()
                .map(problem ->
                    "{\"what\":%s,\"reason\":%s}"
                        .formatted(Json.string(problem.what()), Json.string(problem.reason())))
                .collect(Collectors.joining(",", "[", "]")));
  }

  private String json(Entry entry) {
    Device device = entry.device();
    Load load = entry.load();
    return String.format(
            Locale.ROOT,
            "{\"id\":%s,\"label\":%s,\"kind\":%s,\"vendor\":%s,\"name\":%s,\"weight\":%s,"
                + "\"slots\":%d,\"memoryBytes\":%d,\"memoryFreeBytes\":%s,\"capabilities\":%s,"
                + "\"encodes\":%s,",
            Json.string(device.id().value()),
            Json.string(device.label()),
            Json.string(device.kind().toString()),
            Json.string(device.vendor().toString()),
            Json.string(device.name()),
            device.weight(),
            device.slots(),
            device.memoryBytes(),
            isPolled(entry) ? String.valueOf(load.freeBytes()) : "null",
            strings(capabilities(device)),
            strings(EncoderChoice.codecs(device)))
        + String.format(
            Locale.ROOT,
            "\"health\":%s,\"generation\":%d,\"sharesHostCores\":%s,"
                + "\"load\":{\"outstanding\":%d,\"foreignStreams\":%d,\"ageMillis\":%s},"
                + "\"details\":%s}",
            Json.string(entry.health().toString().toLowerCase(Locale.ROOT)),
            entry.generation(),
            device.isOnHostCores(),
            load.queueDepth(),
            load.activeStreams(),
            isPolled(entry) ? String.valueOf(load.age().toMillis()) : "null",
            detailsOf(entry).entrySet().stream()
                .map(each -> Json.string(each.getKey()) + ":" + Json.string(each.getValue()))
                .collect(Collectors.joining(",", "{", "}")));
  }
}
