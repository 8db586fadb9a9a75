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
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Devices as they are at one moment, for people and for programs. Memory is known to be free only
 * where the device was asked and could tell.
 *
 * @param terms by device, what {@code --devices} selects it by
 * @param details what backends say of their devices beside that
 * @param notices what is to be said of the profile
 */
record DeviceListing(
    List<Entry> entries,
    List<Problem> problems,
    Map<DeviceId, String> terms,
    Map<DeviceId, Map<String, String>> details,
    List<String> notices) {
  private static final JsonMapper JSON = JsonMapper.builder().build();

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
          term(device),
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
            .map(this::term)
            .collect(Collectors.joining(", "));
    if (!sharing.isEmpty()) {
      text.append(sharing)
          .append(" and the CPU lanes work on the same cores: what they can do does not add up.\n");
    }
    for (Entry entry : entries) {
      Map<String, String> known = inFull(entry);
      if (!known.isEmpty()) {
        text.append(term(entry.device())).append(": ").append(inWords(known)).append('\n');
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

  private String term(Device device) {
    return terms.getOrDefault(device.id(), device.label());
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

  String json() {
    ObjectNode root = JSON.createObjectNode();
    ArrayNode devices = root.putArray("devices");
    entries.forEach(entry -> write(entry, devices.addObject()));
    root.put("ffmpeg", ffmpeg());
    strings(root.putArray("notices"), notices);
    root.put("workersConfined", Confinement.isPossible());
    ArrayNode troubles = root.putArray("problems");
    problems.forEach(problem ->
        troubles.addObject().put("what", problem.what()).put("reason", problem.reason()));
    return JSON.writeValueAsString(root);
  }

  private static void strings(ArrayNode array, List<String> values) {
    values.forEach(array::add);
  }

  private void write(Entry entry, ObjectNode node) {
    Device device = entry.device();
    Load load = entry.load();
    node.put("id", device.id().value())
        .put("label", device.label())
        .put("term", term(device))
        .put("kind", device.kind().toString())
        .put("vendor", device.vendor().toString())
        .put("name", device.name())
        .put("weight", device.weight())
        .put("slots", device.slots())
        .put("memoryBytes", device.memoryBytes());
    ifPolled(entry, node, "memoryFreeBytes", load.freeBytes());
    strings(node.putArray("capabilities"), capabilities(device));
    strings(node.putArray("encodes"), EncoderChoice.codecs(device));
    node.put("health", entry.health().toString().toLowerCase(Locale.ROOT))
        .put("generation", entry.generation())
        .put("sharesHostCores", device.isOnHostCores());
    ObjectNode loaded =
        node.putObject("load")
            .put("outstanding", load.queueDepth())
            .put("foreignStreams", load.activeStreams());
    ifPolled(entry, loaded, "ageMillis", load.age().toMillis());
    ObjectNode details = node.putObject("details");
    detailsOf(entry).forEach(details::put);
  }

  private static void ifPolled(Entry entry, ObjectNode node, String name, long value) {
    if (isPolled(entry)) {
      node.put(name, value);
    } else {
      node.putNull(name);
    }
  }
}
