package dev.fairlead.doctor.run;

import dev.fairlead.device.Card;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Discovery;
import dev.fairlead.doctor.check.Check;
import dev.fairlead.doctor.check.Checks;
import dev.fairlead.doctor.host.Drivers;
import dev.fairlead.doctor.host.Machine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds out what there is to look at; loads drivers, so that it runs in a process of its own. */
final class Planning {
  /** All that there may be, of lanes one: they are alike. */
  static final String EVERYTHING = "all,opencl,cpu:1";

  /** The same one by one, for a machine on which asking all at once ends badly. */
  static final List<String> ONE_BY_ONE = List.of("cuda", "encoder", "opencl", "cpu:1");

  private static final List<String> FACES = List.of("cuda", "opencl", "encoder");
  private static final String LANES = "cpu";
  private static final String ONE_LANE = "cpu:1";

  private Planning() {}

  /** The machine, about which no driver has to be asked. */
  static Planned machine() {
    return new Planned(
        Planned.MACHINE, "", EVERYTHING, Optional.empty(), List.of(), steps(Checks.ofMachine()));
  }

  static List<Planned> of(Machine machine, String terms, boolean thorough) {
    List<Device> devices = new ArrayList<>(Discovery.find(terms).devices());
    // Cards come first: they are what people ask about.
    devices.sort(Comparator.comparing(device -> device.card().isEmpty()));
    List<Device> faces =
        devices.stream().allMatch(device -> device.card().isEmpty())
            ? List.of()
            : FACES.stream().flatMap(face -> Discovery.find(face).devices().stream()).toList();
    List<Planned> plan = new ArrayList<>();
    for (Device device : devices) {
      boolean lane = device.kind().equals(DeviceKind.CPU);
      plan.add(
          new Planned(
              lane ? LANES : device.label(),
              device.name(),
              lane ? ONE_LANE : device.label(),
              Drivers.key(device, machine),
              faces.stream().filter(face -> isOnCard(face, device)).map(Device::label).toList(),
              steps(Checks.of(device, thorough))));
    }
    List<Device> encoding = devices.stream().filter(Planning::isNoOpenClOnCores).toList();
    plan.add(
        new Planned(
            Planned.ALL,
            "",
            String.join(",", encoding.stream().map(Planning::term).toList()),
            Optional.empty(),
            List.of(),
            steps(Checks.ofAll(encoding))));
    return plan;
  }

  private static boolean isNoOpenClOnCores(Device device) {
    return device.kind().equals(DeviceKind.CPU) || !device.isOnHostCores();
  }

  private static String term(Device device) {
    return device.kind().equals(DeviceKind.CPU) ? ONE_LANE : device.label();
  }

  private static boolean isOnCard(Device face, Device device) {
    Optional<String> address = device.card().map(Card::pciAddress);
    return address.isPresent() && face.card().map(Card::pciAddress).equals(address);
  }

  private static List<Planned.Step> steps(List<Check> checks) {
    return checks.stream()
        .map(check ->
            new Planned.Step(
                check.id(), check.disturbs(), Math.toIntExact(check.patience().toSeconds())))
        .toList();
  }
}
