package dev.fairlead.doctor.check;

import dev.fairlead.device.Capability;
import dev.fairlead.device.Card;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.doctor.host.Drivers;
import dev.fairlead.doctor.host.PciCard;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a device is: its card, its names there, its driver, and whether it lets programs in. */
final class CardCheck implements Check {
  @Override
  public String id() {
    return "card";
  }

  @Override
  public Finding run(Subject subject) {
    Device device = subject.device();
    List<String> words = new ArrayList<>();
    device.card().map(Card::pciAddress).ifPresent(words::add);
    if (device.kind().equals(DeviceKind.CUDA)) {
      words.add(device.id().value());
    }
    node(subject, device).ifPresent(words::add);
    if (device.card().isPresent()) {
      Drivers.key(device, subject.machine()).ifPresent(key -> words.add(key.driver()));
    }
    if (!subject.detail("slice").isEmpty()) {
      words.add("slice (MIG)");
    }
    if (device.features().capabilities().contains(Capability.HOST_CORES)) {
      words.add("works on the processor's cores");
    }
    String mode = subject.detail("compute mode");
    if (!mode.isEmpty()) {
      words.add("compute mode " + mode);
    }
    String detail = words.isEmpty() ? "on no card" : String.join(", ", words);
    return mode.equals("prohibited")
        ? Finding.fail(
            detail, "Let programs in: nvidia-smi -i %d -c DEFAULT".formatted(device.ordinal()))
        : Finding.pass(detail);
  }

  private static Optional<String> node(Subject subject, Device device) {
    return device
        .card()
        .flatMap(card ->
            subject.machine().cards().stream()
                .filter(each -> each.address().equals(card.pciAddress()))
                .map(PciCard::nodes)
                .flatMap(List::stream)
                .findFirst());
  }
}
