package dev.fairlead.media.output;

import dev.fairlead.media.codec.CodecConfig;
import dev.fairlead.media.codec.UnreadableHeaderException;
import dev.fairlead.media.job.PacketSink;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.pack.HlsPlaylists;
import dev.fairlead.media.pack.Mp4Writer;
import dev.fairlead.media.pack.Segment;
import dev.fairlead.media.pack.TrackFormat;
import dev.fairlead.media.pack.TrackWriter;
import dev.fairlead.media.pack.WebVtt;
import dev.fairlead.media.plan.AudioPlan;
import dev.fairlead.media.plan.OutputFormat;
import dev.fairlead.media.plan.Rung;
import dev.fairlead.media.plan.SubtitlePlan;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.progress.Commits;
import dev.fairlead.media.progress.JobContext;
import dev.fairlead.media.progress.Published;
import dev.fairlead.media.progress.RungFiles;
import dev.fairlead.media.store.ChunkFile;
import dev.fairlead.media.store.Sample;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.wire.Caption;
import dev.fairlead.media.wire.EncodedAudio;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The output as it grows: segments of rungs and audio tracks while chunks are committed; playlists
 * and whole files when all is there.
 */
public final class PackageWriter implements Commits {
  static final String MASTER = "master.m3u8";

  /** An audio track that is encoded. */
  private record Sound(
      AudioSegmenter line, TrackFormat.Audio format, SortedMap<Long, Path> pieces) {
    /** One piece at a time. */
    Stream<Sample> samples() {
      return pieces.values().stream().flatMap(file -> ChunkFile.read(file).stream());
    }
  }

  /** A subtitle track that is read. */
  private record Text(SubtitlePlan plan, List<WebVtt.Cue> cues) {}

  private final JobContext parts;
  private final Optional<PacketSink> sink;
  private final TranscodePlan plan;
  private final Published published;
  private final boolean hls;
  private final boolean mp4;
  private final List<Long> all = new ArrayList<>();
  private final List<RungSegmenter> lines = new ArrayList<>();
  private final List<PacketDelivery> sinks = new ArrayList<>();
  private final List<TrackFormat.Video> formats = new ArrayList<>();
  private final List<Sound> sounds = new ArrayList<>();
  private final List<Text> texts = new ArrayList<>();
  private final List<TrackWriter> writers = new ArrayList<>();

  /**
   * A package of a plan.
   *
   * @param sink takes the packets instead of files
   * @param promised by rung, what its init segment says of every chunk
   */
  public PackageWriter(
      JobContext parts, Optional<PacketSink> sink, List<CodecConfig.Picture> promised) {
    this.parts = parts;
    this.sink = sink;
    this.plan = parts.plan();
    this.published = parts.store().published();
    boolean files = sink.isEmpty();
    this.hls = files && plan.request().format() != OutputFormat.MP4;
    this.mp4 = files && plan.request().format() != OutputFormat.HLS;
    for (int rung = 0; rung < plan.rungs().size(); rung++) {
      TrackFormat.Video format =
          TrackFormat.Video.of(
              promised.get(rung),
              plan.timescale(),
              plan.video().colour(),
              plan.video().mastering());
      formats.add(format);
      if (hls) {
        TrackWriter writer = TrackWriter.open(published, directory(rung), format);
        lines.add(new RungSegmenter(plan.grid(), writer, format, all));
      }
      String name = plan.rungs().get(rung).name();
      sink.ifPresent(taker -> sinks.add(new PacketDelivery(taker, name, format, all)));
    }
  }

  /** The files by whose names a job of this plan is known from the start, under the output. */
  public static List<String> names(TranscodePlan plan) {
    OutputFormat format = plan.request().format();
    List<String> names = new ArrayList<>();
    if (format != OutputFormat.HLS) {
      plan.rungs().forEach(rung -> names.add(rung.name() + ".mp4"));
      plan.subtitles().forEach(subtitles -> names.add(subtitles.name() + ".vtt"));
    }
    if (format != OutputFormat.MP4) {
      names.add(MASTER);
      Stream.of(
              plan.rungs().stream().map(Rung::name),
              plan.audio().stream().map(AudioPlan::name),
              plan.subtitles().stream().map(SubtitlePlan::name))
          .flatMap(Function.identity())
          .forEach(
              track -> TrackWriter.firstNames().forEach(file -> names.add(track + "/" + file)));
    }
    return names;
  }

  private Path directory(int rung) {
    return plan.request().output().resolve(plan.rungs().get(rung).name());
  }

  /** What a player opens to see one rung. */
  static Path manifest(TranscodePlan plan, Rung rung) {
    Path output = plan.request().output();
    return plan.request().format() == OutputFormat.MP4
        ? output.resolve(rung.name() + ".mp4")
        : output.resolve(rung.name()).resolve(TrackWriter.PLAYLIST);
  }

  @Override
  public void chunk(int rung, UnitId unit) {
    if (!sinks.isEmpty()) {
      sinks.get(rung).add(unit.chunk(), file(unit));
    }
    if (hls) {
      report(rung, lines.get(rung).add(unit.chunk(), file(unit)));
    }
  }

  @Override
  public void settled(List<Long> chunks) {
    all.addAll(chunks);
    sinks.forEach(PacketDelivery::advance);
    for (int rung = 0; rung < lines.size(); rung++) {
      report(rung, lines.get(rung).advance());
    }
  }

  /** How many segments of a rung there are. */
  public int segments(int rung) {
    return hls ? lines.get(rung).segments() : 0;
  }

  private Path file(UnitId unit) {
    return Objects.requireNonNull(parts.store().committed().get(unit), unit.toString()).file();
  }

  @Override
  public void sound(AudioPlan audio, EncodedAudio encoded, long pieces) {
    AudioSegmenter line = new AudioSegmenter(plan, audio);
    TrackFormat.Audio format = format(line, encoded);
    String name = audio.name();
    Sound sound = new Sound(line, format, parts.store().pieces(name).headMap(pieces));
    sounds.add(sound);
    sink.ifPresent(taker -> {
      PacketDelivery track =
          new PacketDelivery(taker, name, format, List.copyOf(sound.pieces().keySet()));
      sound.pieces().forEach(track::add);
      track.finish();
    });
    if (hls) {
      Path directory = plan.request().output().resolve(name);
      TrackWriter writer = TrackWriter.open(published, directory, format);
      writers.add(
          line.write(writer, format, sound.samples(), segment -> report(name, directory, segment)));
    }
  }

  private static TrackFormat.Audio format(AudioSegmenter line, EncodedAudio encoded) {
    try {
      return line.format(encoded);
    } catch (UnreadableHeaderException strange) {
      throw new TranscodeException.GaveUp(
          "The audio cannot be encoded: " + strange.getMessage(), strange);
    }
  }

  private List<HlsPlaylists.AudioEntry> finishSound(int targetSeconds) {
    List<HlsPlaylists.AudioEntry> entries = new ArrayList<>();
    // Where codecs differ each has a group, so that a player can do without one of them.
    boolean mixed =
        sounds.stream().map(sound -> sound.format().config().codecs()).distinct().count() > 1;
    for (int i = 0; i < writers.size(); i++) {
      AudioPlan audio = sounds.get(i).line().audio();
      entries.add(
          new HlsPlaylists.AudioEntry(
              audio.name() + "/" + TrackWriter.PLAYLIST,
              mixed ? sounds.get(i).format().config().sampleEntry() : "",
              audio.track().title(),
              audio.track().preferred(),
              sounds.get(i).format(),
              writers.get(i).finish(targetSeconds)));
    }
    return entries;
  }

  @Override
  public void subtitles(SubtitlePlan its, List<Caption> captions) {
    List<WebVtt.Cue> cues =
        captions.stream()
            .map(caption ->
                new WebVtt.Cue(
                    Duration.ofMillis(caption.fromMillis()),
                    Duration.ofMillis(caption.toMillis()),
                    caption.text()))
            .toList();
    texts.add(new Text(its, cues));
  }

  /** Writes the subtitles in segments as long as those of the video, or in one file. */
  private List<HlsPlaylists.SubtitleEntry> writeSubtitles(List<Segment> like, int targetSeconds) {
    List<HlsPlaylists.SubtitleEntry> written = new ArrayList<>();
    for (Text text : texts) {
      SubtitlePlan its = text.plan();
      if (mp4) {
        WebVtt.write(published, plan.request().output().resolve(its.name() + ".vtt"), text.cues());
      }
      if (hls) {
        Path directory = plan.request().output().resolve(its.name());
        WebVtt.writeSegments(published, directory, text.cues(), like, targetSeconds)
            .forEach(segment -> report(its.name(), directory, segment));
        written.add(
            new HlsPlaylists.SubtitleEntry(
                its.name() + "/" + TrackWriter.PLAYLIST,
                its.track().language(),
                its.track().title(),
                its.track().preferred(),
                its.track().forced()));
      }
    }
    return written;
  }

  private void report(int rung, List<Segment> segments) {
    String name = plan.rungs().get(rung).name();
    segments.forEach(segment -> report(name, directory(rung), segment));
  }

  private void report(String rung, Path directory, Segment segment) {
    parts
        .listener()
        .report(
            new TranscodeListener.Event.SegmentWritten(
                parts.clock().seconds(),
                rung,
                directory.resolve(segment.name()),
                segment.bytes(),
                segment.sha256()));
  }

  /** Everything is there: what makes it visible comes last. */
  public List<RungFiles> finish() {
    sinks.forEach(PacketDelivery::finish);
    for (int rung = 0; rung < lines.size(); rung++) {
      report(rung, lines.get(rung).end());
    }
    int target =
        HlsPlaylists.targetSeconds(
            Stream.concat(
                lines.stream().flatMap(line -> line.written().stream()),
                writers.stream().flatMap(writer -> writer.segments().stream())));
    List<RungFiles> written = new ArrayList<>();
    List<HlsPlaylists.VideoEntry> videos = new ArrayList<>();
    for (int rung = 0; rung < plan.rungs().size(); rung++) {
      Rung its = plan.rungs().get(rung);
      List<Segment> segments = hls ? lines.get(rung).finish(target) : List.of();
      long whole = mp4 ? writeMp4(rung) : 0;
      long inSegments = segments.stream().mapToLong(Segment::bytes).sum();
      Path manifest = hls || mp4 ? manifest(plan, its) : Path.of("");
      written.add(new RungFiles(segments, hls ? inSegments : whole, manifest));
      videos.add(
          new HlsPlaylists.VideoEntry(
              its.name() + "/" + TrackWriter.PLAYLIST,
              formats.get(rung),
              hls ? lines.get(rung).frameRate(plan.frameRate().value()) : 0,
              segments));
      parts
          .listener()
          .report(
              new TranscodeListener.Event.RungWritten(
                  parts.clock().seconds(),
                  its.name(),
                  written.getLast().manifest(),
                  written.getLast().bytes()));
    }
    List<HlsPlaylists.SubtitleEntry> subtitles =
        writeSubtitles(written.getFirst().segments(), target);
    parts.source().require();
    if (hls) {
      HlsPlaylists.writeMaster(
          published,
          plan.request().output().resolve(MASTER),
          new HlsPlaylists.Master(videos, finishSound(target), subtitles));
    }
    published.requireAsWritten();
    return written;
  }

  private long writeMp4(int rung) {
    List<Mp4Writer.Track> tracks = new ArrayList<>();
    TrackFormat.Video format = formats.get(rung);
    String name = plan.rungs().get(rung).name();
    tracks.add(
        new Mp4Writer.Track(
            format,
            () ->
                all.stream()
                    .flatMap(chunk -> ChunkFile.read(file(new UnitId(name, chunk))).stream())
                    .map(sample -> RungSegmenter.stored(format.config(), sample))));
    for (Sound sound : sounds) {
      tracks.add(new Mp4Writer.Track(sound.format(), sound::samples));
    }
    return Mp4Writer.write(published, plan.request().output().resolve(name + ".mp4"), tracks);
  }
}
