package dev.fairlead.cli;

import dev.fairlead.media.json.RequestOptions;
import dev.fairlead.media.plan.AudioMode;
import dev.fairlead.media.plan.EncodingChoice;
import dev.fairlead.media.plan.OutputFormat;
import dev.fairlead.media.plan.PictureChoice;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.plan.VideoCodec;
import dev.fairlead.media.plan.WrittenAmount;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say what is made of a source. */
final class LadderOptions {
  @Option(
      names = "--format",
      paramLabel = "hls|mp4|both",
      defaultValue = "hls",
      description = "What is written (default: hls).")
  private OutputFormat format;

  @Option(
      names = "--ladder",
      paramLabel = "RUNGS",
      defaultValue = "auto",
      description = "auto, 1080p,720p,360p or 1280x720@crf30,640x360@maxrate800k (default: auto).")
  private String ladder;

  @Option(
      names = "--codec",
      paramLabel = "av1|hevc|h264",
      defaultValue = "av1",
      description = "What the rungs are encoded as (default: av1).")
  private VideoCodec codec;

  @Option(
      names = "--preset",
      paramLabel = "N",
      description =
          "From 0, slowest, to 13, fastest; SVT-AV1 takes 12 and 13 as 11 (default: 9, 10 but for AV1).")
  private @Nullable Integer preset;

  @Option(
      names = "--crf",
      paramLabel = "N",
      description = "Constant rate factor, from 0, best (default: by the size of the rung).")
  private @Nullable Integer crf;

  @Option(
      names = "--maxrate",
      paramLabel = "RATE",
      description =
          "Bits a second not to exceed over any two seconds: 6M, or 1080p=6M,360p=800k."
              + " Chunks with more are encoded again.")
  private @Nullable String maxRate;

  @Option(
      names = "--segment",
      paramLabel = "SECONDS",
      defaultValue = "4",
      description = "About how long a segment lasts (default: 4).")
  private String segment;

  @Option(
      names = "--audio",
      paramLabel = "auto|opus|aac|copy|none",
      defaultValue = "auto",
      description = "auto copies AAC and Opus and encodes the rest as Opus (default: auto).")
  private AudioMode audio;

  @Option(
      names = "--max-fps",
      paramLabel = "FPS",
      description = "Drop frames above this rate: 30, 23.976, 30000/1001.")
  private @Nullable String maxFps;

  @Option(names = "--start", paramLabel = "TIME", description = "Begin here: 90.5 or 1:30.5.")
  private @Nullable String start;

  @Option(names = "--end", paramLabel = "TIME", description = "Stop here, without this frame.")
  private @Nullable String end;

  @Option(
      names = "--deinterlace",
      paramLabel = "auto|off",
      defaultValue = "auto",
      description = "Whether interlaced sources are deinterlaced (default: auto).")
  private PictureChoice.Deinterlace deinterlace;

  @Option(
      names = "--hdr",
      paramLabel = "tonemap|keep",
      defaultValue = "tonemap",
      description = "What becomes of a high dynamic range (default: tonemap).")
  private PictureChoice.Hdr hdr;

  @Option(
      names = "--mix",
      paramLabel = "compatible|strict",
      defaultValue = "compatible",
      description =
          "Which devices may share a rung: those whose chunks a player takes one after "
              + "another, or those that write equal headers (default: compatible).")
  private EncodingChoice.Mix mix;

  @Option(
      names = "--memory",
      paramLabel = "BYTES",
      description = "How much memory a job may use: 512m, 2g (default: half of what there is).")
  private @Nullable String memory;

  @Option(names = "--restart", description = "Throw away what an earlier run left in the output.")
  private boolean restart;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields before it runs a command
  LadderOptions() {}

  /** What is asked for, with one input and one output. */
  TranscodeRequest request(Path input, Path output) {
    TranscodeRequest request = options().request(input, output).withRestart(restart);
    return memory == null ? request : request.withMemoryBytes(WrittenAmount.bytes(memory));
  }

  /** Whether what an earlier run left is thrown away. */
  boolean isRestart() {
    return restart;
  }

  RequestOptions options() {
    return new RequestOptions(
        Optional.of(format),
        Optional.of(ladder),
        Optional.of(codec),
        Optional.ofNullable(preset),
        Optional.ofNullable(crf),
        Optional.ofNullable(maxRate),
        Optional.of(segment),
        Optional.of(audio),
        Optional.ofNullable(maxFps),
        Optional.ofNullable(start),
        Optional.ofNullable(end),
        Optional.of(deinterlace),
        Optional.of(hdr),
        Optional.of(mix));
  }
}
