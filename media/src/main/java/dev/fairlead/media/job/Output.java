package dev.fairlead.media.job;

import dev.fairlead.media.pack.HlsPlaylists;
import dev.fairlead.media.pack.Segment;
import dev.fairlead.media.pack.TrackFormat;
import dev.fairlead.media.pack.TrackWriter;
import dev.fairlead.media.plan.Rung;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.store.UnitId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** The output as it grows: segments of rungs and audio tracks, and playlists when all is there. */
final class Output {
  private final Ladder.Parts parts;
  private final TranscodePlan plan;
  private final List<RungLine> lines = new ArrayList<>();
  private final List<TrackFormat.Video> formats = new ArrayList<>();
  private final List<HlsPlaylists.AudioEntry> sounds = new ArrayList<>();

  Output(Ladder.Parts parts, List<Long> all) {
    this.parts = parts;
    this.plan = parts.plan();
    for (int rung = 0; rung < plan.rungs().size(); rung++) {
      TrackFormat.Video format =
          TrackFormat.Video.of(parts.encoders().invariants(rung).config(), plan.timescale());
      formats.add(format);
      lines.add(new RungLine(plan.grid(), directory(rung), format, all));
    }
  }

  private Path directory(int rung) {
    return plan.request().output().resolve(plan.rungs().get(rung).name());
  }

  Path manifest(int rung) {
    return directory(rung).resolve(TrackWriter.PLAYLIST);
  }

  /** A chunk of a rung is committed. */
  void add(int rung, UnitId unit) {
    JobStore.Committed committed =
        Objects.requireNonNull(parts.store().committed().get(unit), unit.toString());
    for (Segment segment : lines.get(rung).add(unit.chunk(), committed.file())) {
      tell(unit.rung(), directory(rung), segment);
    }
  }

  /** An audio track is encoded. */
  void sound(AudioLine line, TrackFormat.Audio format, Path file) {
    Path directory = plan.request().output().resolve(line.audio().name());
    List<Segment> segments = line.write(directory, format, file);
    segments.forEach(segment -> tell(line.audio().name(), directory, segment));
    sounds.add(
        new HlsPlaylists.AudioEntry(
            line.audio().name() + "/" + TrackWriter.PLAYLIST,
            "",
            line.audio().track().title(),
            line.audio().track().preferred(),
            format,
            segments));
  }

  private void tell(String rung, Path directory, Segment segment) {
    parts
        .herald()
        .tell(
            new TranscodeListener.Event.SegmentWritten(
                parts.clock().seconds(),
                rung,
                directory.resolve(segment.name()),
                segment.bytes(),
                segment.sha256()));
  }

  /** Everything is there: the playlists come last. */
  TranscodeResult finish(Function<List<List<Segment>>, TranscodeResult> result) {
    List<List<Segment>> segments = new ArrayList<>();
    List<HlsPlaylists.VideoEntry> videos = new ArrayList<>();
    for (int rung = 0; rung < lines.size(); rung++) {
      Rung its = plan.rungs().get(rung);
      List<Segment> all = lines.get(rung).finish();
      segments.add(all);
      videos.add(
          new HlsPlaylists.VideoEntry(
              its.name() + "/" + TrackWriter.PLAYLIST,
              formats.get(rung),
              plan.source().video().frameRate().value(),
              all));
      parts
          .herald()
          .tell(
              new TranscodeListener.Event.RungWritten(
                  parts.clock().seconds(),
                  its.name(),
                  manifest(rung),
                  all.stream().mapToLong(Segment::bytes).sum()));
    }
    HlsPlaylists.writeMaster(
        plan.request().output().resolve("master.m3u8"),
        new HlsPlaylists.Master(videos, sounds, List.of()));
    parts.store().finished();
    return result.apply(segments);
  }
}
