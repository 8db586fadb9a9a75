package dev.fairlead.simulator.fleet;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The devices of a simulation, in order. As text: {@code 2xfast:4,1xslow:1}, count × name :
 * relative speed, and for each term further traits, such as {@code 2xfast:4/slots=2/start=1.5}.
 */
public record FleetSpec(List<DeviceSpec> devices) {
  /** More are refused. */
  public static final int MOST_DEVICES = 1_000_000;

  private static final Pattern TERM =
      Pattern.compile(
          "(?:(\\d+)\\s*[x×]\\s*)?([\\p{Alpha}_][\\w.-]*)\\s*:\\s*([^/\\s]+)((?:/[^/]*)*)");

  public FleetSpec {
    devices = List.copyOf(devices);
    if (devices.isEmpty()) {
      throw new IllegalArgumentException("a fleet has at least one device");
    }
    if (devices.size() > MOST_DEVICES) {
      throw new IllegalArgumentException(
          "%d devices; at most %d can be simulated".formatted(devices.size(), MOST_DEVICES));
    }
  }

  public static FleetSpec parse(String text) {
    List<DeviceSpec> devices = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (String term : text.split(",", -1)) {
      try {
        add(term.strip(), devices, names);
      } catch (IllegalArgumentException bad) {
        throw new IllegalArgumentException(
            "fleet term \"%s\": %s".formatted(term.strip(), bad.getMessage()), bad);
      }
    }
    return new FleetSpec(devices);
  }

  private static void add(String term, List<DeviceSpec> devices, Set<String> names) {
    Matcher parts = TERM.matcher(term);
    if (!parts.matches()) {
      throw new IllegalArgumentException("is not COUNTxNAME:SPEED, such as 2xfast:4");
    }
    String name = parts.group(2);
    if (!names.add(name)) {
      throw new IllegalArgumentException("the name is given twice");
    }
    long count = parts.group(1) == null ? 1 : (long) number("count", parts.group(1));
    if (count < 1 || count > MOST_DEVICES - devices.size()) {
      throw new IllegalArgumentException(
          "count is %s; a fleet has 1 to %d devices".formatted(parts.group(1), MOST_DEVICES));
    }
    DeviceSpec spec = traits(DeviceSpec.of(name, number("speed", parts.group(3))), parts.group(4));
    for (int i = 1; i <= count; i++) {
      devices.add(spec.named(name + "-" + i));
    }
  }

  private static DeviceSpec traits(DeviceSpec plain, String text) {
    DeviceSpec.Limits limits = plain.limits();
    DeviceSpec.Overheads overheads = plain.overheads();
    for (String trait : text.isEmpty() ? new String[0] : text.substring(1).split("/", -1)) {
      int equals = trait.indexOf('=');
      String key = equals < 0 ? trait : trait.substring(0, equals).strip();
      double value = equals < 0 ? Double.NaN : number(key, trait.substring(equals + 1).strip());
      switch (key) {
        case "slots" ->
            limits =
                new DeviceSpec.Limits(whole(key, value), limits.memoryBytes(), limits.sessions());
        case "memory" ->
            limits = new DeviceSpec.Limits(limits.slots(), (long) value, limits.sessions());
        case "sessions" ->
            limits = new DeviceSpec.Limits(limits.slots(), limits.memoryBytes(), whole(key, value));
        case "start" ->
            overheads = new DeviceSpec.Overheads(value, overheads.item(), overheads.transfer());
        case "item" ->
            overheads = new DeviceSpec.Overheads(overheads.startUp(), value, overheads.transfer());
        case "transfer" ->
            overheads = new DeviceSpec.Overheads(overheads.startUp(), overheads.item(), value);
        default ->
            throw new IllegalArgumentException(
                "there is no trait \"%s\"; there are slots, memory, sessions, start, item, transfer"
                    .formatted(key));
      }
    }
    return new DeviceSpec(plain.name(), plain.speed(), limits, overheads);
  }

  private static int whole(String what, double value) {
    if (value != Math.rint(value) || Math.abs(value) > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(what + " is not a whole number: " + value);
    }
    return (int) value;
  }

  private static double number(String what, String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException bad) {
      throw new IllegalArgumentException("%s is not a number: \"%s\"".formatted(what, text), bad);
    }
  }

  /** The same, with so many seconds for each item on the devices that have none of their own. */
  public FleetSpec withItemSeconds(double seconds) {
    return new FleetSpec(
        devices.stream()
            .map(device -> device.overheads().item() > 0 ? device : device.withItemSeconds(seconds))
            .toList());
  }

  public int size() {
    return devices.size();
  }

  /** What all slots of all devices do together, at relative speed. */
  public double capacity() {
    return devices.stream().mapToDouble(DeviceSpec::capacity).sum();
  }

  public double fastest() {
    return devices.stream().mapToDouble(DeviceSpec::speed).max().orElseThrow();
  }

  /** The index of a device by its name. */
  public int index(String name) {
    for (int i = 0; i < devices.size(); i++) {
      if (devices.get(i).name().equals(name)) {
        return i;
      }
    }
    throw new IllegalArgumentException(
        "there is no device \"%s\"; there are %s%s"
            .formatted(
                name,
                devices.stream().limit(6).map(DeviceSpec::name).toList(),
                devices.size() > 6 ? " and more" : ""));
  }
}
