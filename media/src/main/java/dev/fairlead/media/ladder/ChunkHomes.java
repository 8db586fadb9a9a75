package dev.fairlead.media.ladder;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.units.UnitInput;
import dev.fairlead.media.choice.DeviceAddress;
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
  /** A guess, for either way: memory that is not pinned, over the bus of a present machine. */
  private static final double BYTES_A_SECOND = 6e9;

  private final Optional<Device> decoder;
  private final Map<Long, Pictures> known = new HashMap<>();

  /**
   * Homes of chunks.
   *
   * @param decoder the card that decodes, if one does
   */
  ChunkHomes(Optional<Device> decoder) {
    this.decoder = decoder;
  }

  /** A chunk has begun, perhaps anew, with so many bytes on the card that decodes. */
  UnitInput begun(long chunk, long cardBytes) {
    if (decoder.isEmpty()) {
      return UnitInput.everywhere();
    }
    Pictures its = known.computeIfAbsent(chunk, any -> new Pictures(decoder.get()));
    its.are(cardBytes);
    return its;
  }

  void released(long chunk) {
    known.remove(chunk);
  }

  /**
   * The pictures of a chunk. They are brought to the host once for all, and from there to each
   * other card. Thread-safe.
   */
  private static final class Pictures implements UnitInput {
    private final Device home;

    // Guarded by this.
    private double seconds;
    private boolean onHost;
    private final Set<DeviceId> cards = new HashSet<>();

    Pictures(Device home) {
      this.home = home;
    }

    synchronized void are(long cardBytes) {
      seconds = cardBytes / BYTES_A_SECOND;
      onHost = cardBytes == 0;
      cards.clear();
    }

    @Override
    public synchronized double secondsTo(Device device) {
      if (device.id().equals(home.id()) || cards.contains(device.id())) {
        return 0;
      }
      return (onHost ? 0 : seconds) + (isCard(device) ? seconds : 0);
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
