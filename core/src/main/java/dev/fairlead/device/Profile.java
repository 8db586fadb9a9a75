package dev.fairlead.device;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What was proven of the cards of a machine, by trying it there. It says nothing of what was not
 * tried, and what it says of a card holds for one driver and one version of the codecs only.
 *
 * @param hostSessions encoder sessions that all cards together had open when one more was refused;
 *     empty if none was refused, or if that was not tried
 */
public record Profile(List<Proven> cards, List<Pair> pairs, OptionalInt hostSessions) {
  public static final Profile NONE = new Profile(List.of(), List.of(), OptionalInt.empty());

  public Profile {
    cards = List.copyOf(cards);
    pairs = List.copyOf(pairs);
  }

  /**
   * What something was proven of.
   *
   * @param pciAddress of the card, as {@link Card} writes it
   * @param driver with its version, in any words: other words are another driver
   * @param codecs the version of what encodes through it
   */
  public record Key(String pciAddress, String driver, String codecs) {}

  /**
   * A codec in which a card has encoded pictures that were decoded and compared, or could not.
   *
   * @param codec as FFmpeg names it: av1, hevc or h264
   * @param depth bits of a sample
   * @param reason why it is impossible; empty if it is proven
   */
  public record Codec(String codec, int depth, boolean proven, String reason) {}

  /**
   * Whether bytes come over from one card to another, and how fast.
   *
   * @param from the PCI address of the card that has them
   */
  public record Pair(String from, String to, boolean proven, double gigabytesPerSecond) {}

  /**
   * How fast bytes come from the memory of the host to a card, and back, as its driver copies them
   * best.
   */
  public record Copies(double upGigabytesPerSecond, double downGigabytesPerSecond) {
    public Copies {
      if (!(upGigabytesPerSecond > 0 && downGigabytesPerSecond > 0)) {
        throw new IllegalArgumentException(
            "speeds are not positive: %s, %s"
                .formatted(upGigabytesPerSecond, downGigabytesPerSecond));
      }
    }
  }

  /**
   * What was proven of one card.
   *
   * @param encodeSlots encoders that are worth running at a time: as many as add speed, plus one
   * @param sessions encoders that the card had open when one more was refused
   * @param deviceFrames whether scaling and encoding in the card's own memory have given the same
   *     pictures as over the host
   * @param copies how fast it copies; empty if that was not measured
   * @param decodes codecs, as FFmpeg names them, that it decodes to the same pictures as software
   */
  public record Proven(
      Key key,
      OptionalInt encodeSlots,
      OptionalInt sessions,
      boolean deviceFrames,
      List<Codec> codecs,
      Optional<Copies> copies,
      List<String> decodes) {
    public Proven {
      codecs = List.copyOf(codecs);
      decodes = List.copyOf(decodes);
    }

    /** A card whose copies were not measured, and whose decoder was not tried. */
    public Proven(
        Key key,
        OptionalInt encodeSlots,
        OptionalInt sessions,
        boolean deviceFrames,
        List<Codec> codecs) {
      this(key, encodeSlots, sessions, deviceFrames, codecs, Optional.empty(), List.of());
    }

    /** A card of which nothing is known but what it is. */
    public static Proven of(Key key) {
      return new Proven(key, OptionalInt.empty(), OptionalInt.empty(), false, List.of());
    }

    /** Why a codec was found to be impossible there; empty if it was not. */
    public Optional<String> impossible(String codec, int depth) {
      return codecs.stream()
          .filter(each -> each.codec().equals(codec) && each.depth() == depth && !each.proven())
          .map(Codec::reason)
          .findFirst();
    }
  }

  /** What holds of a card as it is now; empty if it was never proven, or under something else. */
  public Optional<Proven> of(Key now) {
    return cards.stream().filter(each -> each.key().equals(now)).findFirst();
  }

  /** What was proven of a card under another driver or other codecs; empty if nothing was. */
  public Optional<Proven> voided(Key now) {
    return cards.stream()
        .filter(each -> each.key().pciAddress().equals(now.pciAddress()))
        .filter(each -> !each.key().equals(now))
        .findFirst();
  }
}
