package dev.fairlead.media.store;

import dev.fairlead.device.DeviceId;
import dev.fairlead.media.plan.Fingerprint;
import java.util.HexFormat;
import java.util.List;

/** What can happen to a job that must not be forgotten. */
public sealed interface JournalEntry {
  /** A run began, the first or one that goes on with the work of those before it. */
  record Begun(Fingerprint fingerprint) implements JournalEntry {}

  /**
   * From now on the chunks of a rung promise this; those committed under another promise are void.
   *
   * @param config by the header of an encoder, in hexadecimal
   * @param init as its init segment holds it: the same, or without that header
   */
  record Promise(String rung, String config, String init) implements JournalEntry {
    public static Promise of(String rung, byte[] config, byte[] init) {
      return new Promise(rung, HexFormat.of().formatHex(config), HexFormat.of().formatHex(init));
    }

    public byte[] initBytes() {
      return HexFormat.of().parseHex(init);
    }

    public byte[] configBytes() {
      return HexFormat.of().parseHex(config);
    }
  }

  /** A device began a unit, for the {@code attempt}th time, counted from 1. */
  record Started(UnitId unit, DeviceId device, int attempt) implements JournalEntry {}

  /**
   * A unit is done.
   *
   * @param file where it is, under the journal's directory
   */
  record Committed(UnitId unit, String file, long frames, long bytes, String checksum)
      implements JournalEntry {}

  /**
   * All pieces of an audio track are committed.
   *
   * @param header what a player must know of its codec, in hexadecimal
   * @param skip samples before the start of the output, which are decoded and not heard
   * @param pieces how many there are
   * @param notices what people should know of it
   */
  record Sound(
      String track,
      String codec,
      String header,
      int channels,
      int sampleRate,
      long skip,
      long pieces,
      List<String> notices)
      implements JournalEntry {
    public Sound {
      notices = List.copyOf(notices);
    }
  }

  /** A device could not do a unit. */
  record Failed(UnitId unit, DeviceId device, String reason) implements JournalEntry {}

  /** The worker died while these were in flight. */
  record Crashed(List<UnitId> inFlight) implements JournalEntry {
    public Crashed {
      inFlight = List.copyOf(inFlight);
    }
  }

  /** A unit is given up. */
  record Condemned(UnitId unit, List<String> reasons) implements JournalEntry {
    public Condemned {
      reasons = List.copyOf(reasons);
    }
  }

  /** A file under the output, for others to read, is complete and about to be given its name. */
  record Published(String path, long bytes, String sha256) implements JournalEntry {}

  /** All is written. */
  record Finished() implements JournalEntry {}
}
