package dev.fairlead.media.output;

import dev.fairlead.media.codec.CodecConfig;
import dev.fairlead.media.pack.Segment;
import dev.fairlead.media.pack.TrackFormat;
import dev.fairlead.media.pack.TrackWriter;
import dev.fairlead.media.plan.AudioPlan;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.store.Sample;
import dev.fairlead.media.wire.EncodedAudio;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Puts one audio track into segments. */
final class AudioSegmenter {
  private final TranscodePlan plan;
  private final AudioPlan audio;

  AudioSegmenter(TranscodePlan plan, AudioPlan audio) {
    this.plan = plan;
    this.audio = audio;
  }

  AudioPlan audio() {
    return audio;
  }

  TrackFormat.Audio format(EncodedAudio encoded) {
    CodecConfig.Sound config =
        (CodecConfig.Sound) CodecConfig.of(encoded.codec(), encoded.header(), new byte[0]);
    return new TrackFormat.Audio(
        config,
        encoded.channels(),
        encoded.sampleRate(),
        encoded.sampleRate(),
        (int) encoded.skip(),
        audio.track().language());
  }

  /**
   * Writes the segments, each about as long as one of video; the playlist is left to be written.
   */
  TrackWriter write(
      TrackWriter writer,
      TrackFormat.Audio format,
      Stream<Sample> samples,
      Consumer<Segment> written) {
    double seconds = plan.grid().seconds().value() * plan.grid().chunksPerSegment();
    long length = Math.max(1, Math.round(seconds * format.timescale()));
    List<Sample> gathered = new ArrayList<>();
    long[] segment = new long[1];
    samples.forEachOrdered(sample -> {
      long its = Math.max(0, Math.floorDiv(sample.pts(), length));
      if (its != segment[0] && !gathered.isEmpty()) {
        written.accept(writer.addSegment(gathered));
        gathered.clear();
      }
      segment[0] = its;
      gathered.add(sample);
    });
    if (!gathered.isEmpty()) {
      written.accept(writer.addSegment(gathered));
    }
    return writer;
  }
}
