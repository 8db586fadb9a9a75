package dev.fairlead.media.worker;

import dev.fairlead.media.encode.AudioTracks;
import dev.fairlead.media.encode.EncodedAudio;
import dev.fairlead.media.store.ChunkFile;
import dev.fairlead.media.store.ChunkHeader;
import dev.fairlead.media.store.Sample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Encodes an audio track from start to end, and puts it on disk. */
final class AudioErrand {
  private AudioErrand() {}

  static Report.EncodedSound run(Command.EncodeAudio command, BooleanSupplier stop)
      throws IOException {
    List<Sample> samples = new ArrayList<>();
    EncodedAudio audio =
        AudioTracks.run(
            command.settings(),
            packet ->
                samples.add(
                    new Sample(packet.pts(), packet.dts(), packet.duration(), true, packet.data())),
            stop);
    ChunkFile.Facts written =
        ChunkFile.write(
            command.file(),
            ChunkHeader.of(command.unit(), audio.sampleRate(), audio.header()),
            samples);
    return new Report.EncodedSound(command.number(), audio, written.bytes(), written.sha256());
  }
}
