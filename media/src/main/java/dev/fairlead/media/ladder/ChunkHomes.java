package dev.fairlead.media.ladder;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.Profile;
import dev.fairlead.media.choice.DeviceAddress;
import dev.fairlead.media.settings.HardwareAddress;
import dev.fairlead.media.wire.Report;
import dev.fairlead.units.UnitInput;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * In which memory the pictures of each chunk are, for the unit queue to predict costs by. Chunks in
 * the memory of the host are near everybody. Owned by the job's thread.
 */
final class ChunkHomes {
  /**
   * For cards whose copies were not measured: a guess, for either way. Memory that is not pinned,
   * over the bus of a present machine.
   */
  private static final Profile.Copies GUESSED = new Profile.Copies(6, 6);

  private final Map<HardwareAddress, Device> decoders = new HashMap<>();
  private final Map<DeviceId, Profile.Proven> proven;
  private final Map<Long, Pictures> known = new HashMap<>();

  /**
   * Homes of chunks.
   *
   * @param decoders the cards that may decode
   * @param proven how fast cards copy, where that is known
   */
  ChunkHomes(List<Device> decoders, Map<DeviceId, Profile.Proven> proven) {
    decoders.forEach(
        card -> DeviceAddress.of(card).ifPresent(address -> this.decoders.put(address, card)));
    this.proven = Map.copyOf(proven);
  }

  /** A chunk has begun, perhaps anew, on a card or in the memory of the host. */
  UnitInput begun(long chunk, Optional<Report.OnCard> onCard) {
    if (decoders.isEmpty()) {
      return UnitInput.everywhere();
    }
    Pictures its = known.computeIfAbsent(chunk, any -> new Pictures(this));
    its.are(
        onCard.map(Report.OnCard::card).map(decoders::get),
        onCard.map(Report.OnCard::bytes).orElse(0L));
    return its;
  }

  void released(long chunk) {
    known.remove(chunk);
  }

  /** What is proven of a device does not change, so that any thread may ask. */
  private Profile.Copies copies(Device device) {
    Profile.Proven its = proven.get(device.id());
    return its == null ? GUESSED : its.copies().orElse(GUESSED);
  }

  /**
   * The pictures of a chunk. They are brought to the host once for all, and from there to each
   * other card. Thread-safe.
   */
  private static final class Pictures implements UnitInput {
    private final ChunkHomes all;

    // Guarded by this.
    private Optional<Device> home = Optional.empty();
    private double gigabytes;
    private boolean onHost;
    private final Set<DeviceId> cards = new HashSet<>();

    Pictures(ChunkHomes all) {
      this.all = all;
    }

    synchronized void are(Optional<Device> card, long cardBytes) {
      home = card;
      gigabytes = cardBytes / 1e9;
      onHost = cardBytes == 0;
      cards.clear();
    }

    @Override
    public synchronized double secondsTo(Device device) {
      if (isHome(device) || cards.contains(device.id())) {
        return 0;
      }
      double down =
          onHost || home.isEmpty()
              ? 0
              : gigabytes / all.copies(home.get()).downGigabytesPerSecond();
      return down + (isCard(device) ? gigabytes / all.copies(device).upGigabytesPerSecond() : 0);
    }

    @Override
    public synchronized void takenBy(Device device) {
      if (!isHome(device)) {
        onHost = true;
        if (isCard(device)) {
          cards.add(device.id());
        }
      }
    }

    private boolean isHome(Device device) {
      return home.filter(its -> its.id().equals(device.id())).isPresent();
    }

    private static boolean isCard(Device device) {
      return DeviceAddress.of(device).isPresent();
    }
  }
}
