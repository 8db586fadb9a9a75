package dev.fairlead.media.progress;

import dev.fairlead.media.store.JournalEntry;
import dev.fairlead.media.wire.EncodedAudio;
import java.util.HexFormat;

/**
 * An audio track whose pieces are all committed.
 *
 * @param pieces how many there are
 */
public record FinishedSound(EncodedAudio audio, long pieces) {
  static FinishedSound of(JournalEntry.Sound entry) {
    return new FinishedSound(
        new EncodedAudio(
            entry.codec(),
            HexFormat.of().parseHex(entry.header()),
            entry.channels(),
            entry.sampleRate(),
            entry.skip(),
            entry.notices()),
        entry.pieces());
  }

  /** As the journal holds it. */
  JournalEntry.Sound entry(String track) {
    return new JournalEntry.Sound(
        track,
        audio.codec(),
        HexFormat.of().formatHex(audio.header()),
        audio.channels(),
        audio.sampleRate(),
        audio.skip(),
        pieces,
        audio.notices());
  }
}
