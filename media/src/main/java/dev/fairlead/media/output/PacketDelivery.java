package dev.fairlead.media.output;

import dev.fairlead.media.codec.CodecConfig;
import dev.fairlead.media.job.PacketSink;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.pack.TrackFormat;
import dev.fairlead.media.store.ChunkFile;
import dev.fairlead.media.store.Sample;
import java.nio.file.Path;
import java.util.List;

/** Hands the packets of one track to a sink, in order. One thread at a time. */
final class PacketDelivery {
  private final PacketSink sink;
  private final PacketSink.Track track;
  private final CodecConfig config;
  private final ChunkSequencer order;
  private boolean begun;

  PacketDelivery(PacketSink sink, String name, TrackFormat format, List<Long> all) {
    this.sink = sink;
    this.config = format.config();
    this.track = new PacketSink.Track(name, config.codecs(), config.body(), format.timescale());
    this.order = new ChunkSequencer(all);
  }

  void add(long chunk, Path file) {
    order.add(chunk, file, (before, next, its) -> hand(its));
  }

  /** Hands over what has its turn since there are more chunks. */
  void advance() {
    order.advance((before, next, its) -> hand(its));
  }

  private void hand(Path file) {
    try {
      begin();
      for (Sample each : ChunkFile.read(file)) {
        Sample stored = RungSegmenter.stored(config, each);
        sink.packet(
            track,
            new PacketSink.Packet(
                stored.pts(), stored.dts(), stored.duration(), stored.sync(), stored.data()));
      }
    } catch (RuntimeException refused) {
      throw failure(refused);
    }
  }

  private void begin() {
    if (!begun) {
      begun = true;
      sink.begin(track);
    }
  }

  void finish() {
    advance();
    try {
      begin();
      sink.end(track);
    } catch (RuntimeException refused) {
      throw failure(refused);
    }
  }

  private TranscodeException failure(RuntimeException refused) {
    return new TranscodeException.Storage(
        "The sink for %s threw %s".formatted(track.name(), refused), refused);
  }
}
