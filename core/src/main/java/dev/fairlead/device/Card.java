package dev.fairlead.device;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The card that a device is on. Several backends may see the same one: a driver that computes, and
 * the kernel, which has a node for its encoder. They are faces of one device.
 *
 * @param pciAddress where it is plugged in, as Linux writes it: {@code 0000:3b:00.0}
 * @param renderNode the kernel's node for it, such as {@code /dev/dri/renderD128}; empty if that is
 *     not known
 */
public record Card(String pciAddress, String renderNode) {
  /** A domain of four digits; some drivers write more zeros before it, some buses need more. */
  private static final Pattern ADDRESS =
      Pattern.compile("0*([0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7])");

  public Card {
    Matcher parts = ADDRESS.matcher(pciAddress.strip().toLowerCase(Locale.ROOT));
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "\"%s\" is no PCI address; one looks like 0000:3b:00.0".formatted(pciAddress));
    }
    pciAddress = parts.group(1);
  }

  /** A card of which no more is known. */
  public static Card at(String pciAddress) {
    return new Card(pciAddress, "");
  }

  /** The same for what a driver says; empty if that is no address. */
  public static Optional<Card> told(String pciAddress) {
    return ADDRESS.matcher(pciAddress.strip().toLowerCase(Locale.ROOT)).matches()
        ? Optional.of(at(pciAddress))
        : Optional.empty();
  }

  boolean isSameAs(Card other) {
    return pciAddress.equals(other.pciAddress);
  }

  /** The same card, with the node that either knows. */
  Card mergedWith(Card other) {
    return renderNode.isEmpty() ? other : this;
  }
}
