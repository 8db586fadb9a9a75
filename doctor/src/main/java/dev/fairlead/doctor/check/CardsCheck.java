package dev.fairlead.doctor.check;

import dev.fairlead.device.Card;
import dev.fairlead.device.Vendor;
import dev.fairlead.doctor.host.PciCard;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Whether every card on the bus is a device, and nothing that is there cannot be used. */
final class CardsCheck implements Check {
  private static final Set<String> FREE = Set.of("nouveau", "nova");

  @Override
  public String id() {
    return "cards";
  }

  @Override
  public Finding run(Subject subject) {
    List<PciCard> cards = subject.machine().cards();
    if (cards.isEmpty()) {
      return Finding.skip("this machine has no card of nvidia, amd or intel");
    }
    Set<String> known =
        subject.devices().stream()
            .flatMap(device -> device.card().stream())
            .map(Card::pciAddress)
            .collect(Collectors.toSet());
    for (PciCard card : cards) {
      if (!known.contains(card.address())) {
        return Finding.fail(
            "the card of %s at %s is no device (kernel driver: %s)%s"
                .formatted(
                    card.vendor(),
                    card.address(),
                    card.driver().isEmpty() ? "none" : card.driver(),
                    subject.problems().isEmpty() ? "" : ": " + subject.problems()),
            remedy(card));
      }
    }
    return Finding.pass(
        cards.size() == 1
            ? "the card is a device"
            : "all %d cards are devices".formatted(cards.size()));
  }

  private static String remedy(PciCard card) {
    if (card.vendor().equals(Vendor.NVIDIA)) {
      return FREE.contains(card.driver())
          ? "Replace the kernel's free driver by NVIDIA's: apt-get install nvidia-driver; then"
              + " restart the machine"
          : "Install NVIDIA's driver (apt-get install nvidia-driver), or unset"
              + " CUDA_VISIBLE_DEVICES";
    }
    return "See what else failed here: its node, the group render, the kernel's driver";
  }
}
