package dev.fairlead.cli;

import dev.fairlead.media.json.JsonEvents;
import dev.fairlead.media.prepare.SourceTools;
import dev.fairlead.media.report.Quantities;
import dev.fairlead.media.source.AudioTrack;
import dev.fairlead.media.source.MediaInfo;
import dev.fairlead.media.source.SubtitleTrack;
import dev.fairlead.media.source.Turn;
import dev.fairlead.media.source.VideoTrack;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tells what is in a video. */
@Command(name = "probe", description = "Tell what is in a video.", mixinStandardHelpOptions = true)
final class ProbeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "INPUT", description = "The video.")
  private Path input;

  @Option(names = "--json", description = "Print one JSON object on one line.")
  private boolean json;

  @Option(
      names = "--no-confinement",
      description = "Let the worker process touch all that you may: any file, the network.")
  private boolean unconfined;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields before it runs a command
  ProbeCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    MediaInfo info = SourceTools.inspect(input, !unconfined);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(JsonEvents.JSON.writeValueAsString(info));
    } else {
      out.print(table(input, info));
    }
    out.flush();
    return 0;
  }

  static String table(Path input, MediaInfo info) {
    String heading =
        "%s: %s, %s, %s"
            .formatted(
                input,
                info.format(),
                info.seconds() > 0 ? Quantities.clock(info.seconds()) : "of unknown length",
                Quantities.size(info.bytes()));
    Table table = new Table("><<<", "STREAM", "KIND", "CODEC", "WHAT");
    VideoTrack video = info.video();
    table.row(String.valueOf(video.stream()), "video", video.codec(), what(video));
    for (AudioTrack track : info.audio()) {
      table.row(String.valueOf(track.stream()), "audio", track.codec(), what(track));
    }
    for (SubtitleTrack track : info.subtitles()) {
      String what = (track.text() ? "text" : "pictures") + tags(track.language(), track.title());
      table.row(String.valueOf(track.stream()), "subtitles", track.codec(), what);
    }
    return PlainDisplay.withoutControls(heading) + "\n\n" + table;
  }

  private static String what(VideoTrack video) {
    boolean shown =
        video.displayWidth() != video.width() || video.displayHeight() != video.height();
    return "%dx%d%s, %s fps, %d bits, %s%s%s"
        .formatted(
            video.width(),
            video.height(),
            shown ? " shown as %dx%d".formatted(video.displayWidth(), video.displayHeight()) : "",
            rate(video.frameRate().value()),
            video.depth(),
            video.colour().range(),
            video.interlaced() ? ", interlaced" : "",
            video.turn() == Turn.NONE ? "" : ", " + video.turn());
  }

  private static String rate(double value) {
    String text = String.format(Locale.ROOT, "%.3f", value);
    return text.replaceFirst("\\.?0+$", "");
  }

  private static String what(AudioTrack track) {
    return "%d Hz, %s%s"
        .formatted(track.sampleRate(), track.layout(), tags(track.language(), track.title()));
  }

  private static String tags(String language, String title) {
    return (language.isEmpty() ? "" : ", " + language)
        + (title.isEmpty() ? "" : ", \"" + title + "\"");
  }
}
