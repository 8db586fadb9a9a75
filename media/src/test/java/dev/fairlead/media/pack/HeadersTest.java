package dev.fairlead.media.pack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Discovery;
import dev.fairlead.media.TestingFfmpeg;
import dev.fairlead.media.codec.CodecConfig;
import dev.fairlead.media.inspect.Inspection;
import dev.fairlead.media.job.ChaosPlan;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.job.TranscodeResult;
import dev.fairlead.media.local.LocalTranscodes;
import dev.fairlead.media.plan.OutputFormat;
import dev.fairlead.media.plan.PictureChoice;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.source.Colour;
import dev.fairlead.media.source.Mastering;
import dev.fairlead.media.source.Rational;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.pool.DevicePool;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said about streams of real encoders, against what the ffmpeg program says. */
class HeadersTest {
  @TempDir Path directory;

  @Test
  void writesTheConfigThatTheProgramWrites() throws IOException {
    for (List<String> encoder :
        List.of(
            List.of("libsvtav1", "-preset", "10"),
            List.of("libsvtav1", "-preset", "10", "-pix_fmt", "yuv420p10le"),
            List.of("libaom-av1", "-cpu-used", "8", "-usage", "realtime"),
            List.of("libopenh264"),
            List.of("libopus"))) {
      CodecConfig config = encode(encoder).config();
      Path file = directory.resolve("theirs.mp4");
      TestingFfmpeg.ffmpeg(
          "-i", directory.resolve("stream.nut").toString(), "-c", "copy", file.toString());

      assertThat(box(Files.readAllBytes(file), config.boxType()))
          .describedAs(encoder.toString())
          .isEqualTo(config.body());
    }
  }

  @Test
  void saysHowHdrWasMastered() throws Exception {
    TestingStream stream =
        encode(
            List.of(
                "libsvtav1",
                "-preset",
                "10",
                "-pix_fmt",
                "yuv420p10le",
                "-vf",
                "format=yuv420p10le,setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc:range=tv"));
    CodecConfig.Picture config = (CodecConfig.Picture) stream.config();
    Colour pq = new Colour(9, 16, 9, false);
    assertThat(config.sequence().colour()).isEqualTo(pq);
    assertThat(config.codecs()).isEqualTo("av01.0.00M.10.0.110.09.16.09.0");
    byte[] display = // P3, 1000 cd/m² to 0.0001 cd/m²
        HexFormat.of().parseHex("33c2864c1d4c0bb884d03e803d134042" + "0098968000000001");
    TrackFormat.Video format =
        new TrackFormat.Video(
            config,
            160,
            96,
            24_000,
            new Rational(4, 3),
            pq,
            Mastering.of(display, new byte[] {3, (byte) 0xe8, 1, (byte) 0x90}));

    TrackWriter writer = TrackWriter.open(directory.resolve("hdr"), format);
    Segment segment = writer.addSegment(stream.samples());
    writer.finish(1);
    Path file = directory.resolve("hdr/whole.mp4");
    try (OutputStream out = Files.newOutputStream(file)) {
      Files.copy(directory.resolve("hdr/init.mp4"), out);
      Files.copy(directory.resolve("hdr").resolve(segment.name()), out);
    }

    TestingFfmpeg.decodesCleanly(file);
    String found = TestingFfmpeg.ffprobe("-show_streams", file.toString());
    assertThat(found)
        .contains(
            "color_transfer=smpte2084",
            "color_primaries=bt2020",
            "pix_fmt=yuv420p10le",
            "sample_aspect_ratio=4:3",
            "max_content=1000",
            "max_average=400",
            "max_luminance=10000000/10000");
    assertThat(Inspection.of(file).video().mastering()).isEqualTo(format.mastering());
    assertThat(transcoded(file, PictureChoice.Hdr.KEEP))
        .contains("max_content=1000", "max_average=400", "max_luminance=10000000/10000");
    assertThat(transcoded(file, PictureChoice.Hdr.TONEMAP))
        .contains("color_transfer=bt709")
        .doesNotContain("max_content", "max_luminance");
  }

  /** What ffprobe says of a rung that was made from a file. */
  private String transcoded(Path file, PictureChoice.Hdr hdr) throws Exception {
    TranscodeRequest request =
        TranscodeRequest.of(file, directory.resolve(hdr.name()))
            .withFormat(OutputFormat.MP4)
            .withPicture(new PictureChoice(Optional.empty(), PictureChoice.Deinterlace.AUTO, hdr));
    try (DevicePool pool = DevicePool.open(Discovery.find("cpu:1"))) {
      TranscodeResult result =
          new LocalTranscodes(
                  new JobOptions(
                      pool, ServicePolicies.anyRung(), ChaosPlan.none(), Duration.ofSeconds(60)))
              .submit(request, TranscodeListener.none())
              .await();
      return TestingFfmpeg.ffprobe(
          "-show_streams", result.rungs().getFirst().manifest().toString());
    }
  }

  private TestingStream encode(List<String> encoder) {
    boolean sound = encoder.getFirst().equals("libopus");
    List<String> source =
        sound
            ? List.of("-f", "lavfi", "-i", "sine=r=48000:d=1", "-c:a")
            : List.of(
                "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=1", "-pix_fmt", "yuv420p", "-c:v");
    String[] all = Stream.concat(source.stream(), encoder.stream()).toArray(String[]::new);
    return TestingStream.encode(directory, sound ? 48_000 : 24_000, all);
  }

  /** The body of the first box of that type, wherever it is. */
  private static byte[] box(byte[] file, String type) {
    ByteBuffer in = ByteBuffer.wrap(file);
    int wanted = ByteBuffer.wrap(type.getBytes(StandardCharsets.US_ASCII)).getInt();
    for (int at = 4; at < file.length - 4; at++) {
      if (in.getInt(at) == wanted) {
        byte[] body = new byte[in.getInt(at - 4) - 8];
        in.get(at + 4, body);
        return body;
      }
    }
    throw new AssertionError("No box " + type);
  }
}
