package dev.fairlead.media.ladder;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.Profile;
import dev.fairlead.media.choice.DeviceAddress;
import dev.fairlead.units.UnitInput;
import java.util.HashMap;
import java.util.HashSet;
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

  private final Optional<Device> decoder;
  private final Map<DeviceId, Profile.Proven> proven;
  private final Map<Long, Pictures> known = new HashMap<>();

  /**
   * Homes of chunks.
   *
   * @param decoder the card that decodes, if one does
   * @param proven how fast cards copy, where that is known
   */
  ChunkHomes(Optional<Device> decoder, Map<DeviceId, Profile.Proven> proven) {
    this.decoder = decoder;
    this.proven = Map.copyOf(proven);
  }

  /** A chunk has begun, perhaps anew, with so many bytes on the card that decodes. */
  UnitInput begun(long chunk, long cardBytes) {
    if (decoder.isEmpty()) {
      return UnitInput.everywhere();
    }
    Pictures its = known.computeIfAbsent(chunk, any -> new Pictures(decoder.get(), this));
    its.are(cardBytes);
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
    private final Device home;
    private final ChunkHomes all;

    // Guarded by this.
    private double gigabytes;
    private boolean onHost;
    private final Set<DeviceId> cards = new HashSet<>();

    Pictures(Device home, ChunkHomes all) {
      this.home = home;
      this.all = all;
    }

    synchronized void are(long cardBytes) {
      gigabytes = cardBytes / 1e9;
      onHost = cardBytes == 0;
      cards.clear();
    }

    @Override
    public synchronized double secondsTo(Device device) {
      if (device.id().equals(home.id()) || cards.contains(device.id())) {
        return 0;
      }
      double down = onHost ? 0 : gigabytes / all.copies(home).downGigabytesPerSecond();
      return down + (isCard(device) ? gigabytes / all.copies(device).upGigabytesPerSecond() : 0);
    }

    @Override
    public synchronized void takenBy(Device device) {
      if (!device.id().equals(home.id())) {
        onHost = true;
        if (isCard(device)) {
          cards.add(device.id());
        }
      }
    }

    private static boolean isCard(Device device) {
      return DeviceAddress.of(device).isPresent();
    }
  }
}
