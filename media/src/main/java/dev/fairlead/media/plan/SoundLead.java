package dev.fairlead.media.plan;

import dev.fairlead.media.source.MediaInfo;
import dev.fairlead.media.source.VideoTrack;
import java.util.List;
import java.util.Locale;

/** How much earlier than its pictures the sound of a source begins. */
final class SoundLead {
  /** Less than this is how files are interleaved, and is cut. */
  private static final double LEAST_SECONDS = 0.1;

  /** More than this is a mistake in the file. */
  private static final double MOST_SECONDS = 3_600;

  private SoundLead() {}

  /** In ticks of the pictures; zero if the output begins with the first picture. */
  static long ticks(MediaInfo source, TranscodeRequest request, List<String> notes) {
    VideoTrack video = source.video();
    double pictures = video.start() * video.timeBase().value();
    double seconds =
        source.audio().stream()
            .filter(track -> track.sampleRate() > 0)
            .mapToDouble(track -> pictures - track.start() * track.timeBase().value())
            .max()
            .orElse(0);
    boolean wanted = request.audio() != AudioMode.NONE && request.excerpt().start().isZero();
    if (!wanted || seconds < LEAST_SECONDS) {
      return 0;
    }
    if (seconds > MOST_SECONDS) {
      notes.add("Sound that begins more than an hour before the first picture is cut");
      return 0;
    }
    notes.add(
        String.format(
            Locale.ROOT,
            "Sound begins %.3f s before the first picture, which is shown from the beginning",
            seconds));
    return Math.round(seconds / video.timeBase().value());
  }
}
