package dev.fairlead.media.prepare;

import dev.fairlead.media.codec.CodecConfig;
import dev.fairlead.media.pack.Mp4Writer;
import dev.fairlead.media.pack.TrackFormat;
import dev.fairlead.media.store.ChunkFile;
import dev.fairlead.media.wire.Report;
import java.nio.file.Path;
import java.util.List;

/** The MP4 file of a clip whose tracks a worker has made. */
final class ClipFile {
  private ClipFile() {}

  static void write(Path file, Report.MadeClip clip) {
    Report.ClipTrack video = clip.video();
    Report.ClipTrack sound = clip.sound();
    Mp4Writer.write(
        file,
        List.of(
            track(
                video,
                TrackFormat.Video.of((CodecConfig.Picture) config(video), video.timescale())),
            track(
                sound, TrackFormat.Audio.of((CodecConfig.Sound) config(sound), sound.skip(), ""))));
  }

  private static CodecConfig config(Report.ClipTrack track) {
    return CodecConfig.of(track.codec(), track.header(), track.first());
  }

  private static Mp4Writer.Track track(Report.ClipTrack track, TrackFormat format) {
    return new Mp4Writer.Track(format, () -> ChunkFile.read(track.file()).stream());
  }
}
