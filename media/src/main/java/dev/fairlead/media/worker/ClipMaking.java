package dev.fairlead.media.worker;

import dev.fairlead.media.av.AvException;
import dev.fairlead.media.av.Encoded;
import dev.fairlead.media.av.Encoder;
import dev.fairlead.media.av.Filter;
import dev.fairlead.media.av.Picture;
import dev.fairlead.media.codec.CodecConfig;
import dev.fairlead.media.store.ChunkHeader;
import dev.fairlead.media.store.ChunkWriter;
import dev.fairlead.media.store.Sample;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Report;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.global.avutil;

/** Makes a clip of moving texture and a tone, in H.264 and AAC; its parent makes an MP4 of it. */
final class ClipMaking {
  private static final int RATE = 25;
  private static final int SAMPLE_RATE = 48_000;
  private static final int AAC_FRAME = 1_024;
  private static final int AAC_DELAY = 1_024;

  private static final double BITS_A_PIXEL = 0.15;

  private ClipMaking() {}

  static Report.MadeClip run(Command.MakeClip clip, BooleanSupplier stop) {
    return new Report.MadeClip(clip.number(), video(clip, stop), audio(clip, stop));
  }

  private static Report.ClipTrack video(Command.MakeClip clip, BooleanSupplier stop) {
    String chain =
        "testsrc2=s=%dx%d:r=%d:d=%d,noise=alls=12:allf=t+u:all_seed=1,format=yuv420p"
            .formatted(clip.width(), clip.height(), RATE, clip.seconds());
    try (Filter source = Filter.source(chain, true);
        Encoder encoder =
            Encoder.open(
                "libopenh264",
                context -> describe(context, clip),
                Map.of("profile", "high", "allow_skip_frames", "0"))) {
      List<Encoded> packets = encode(source, encoder, stop);
      return write(clip, "h264", encoder.header(), packets, new Ticks(RATE, 1, 0));
    }
  }

  private static void describe(AVCodecContext context, Command.MakeClip clip) {
    context.width(clip.width());
    context.height(clip.height());
    context.pix_fmt(avutil.AV_PIX_FMT_YUV420P);
    context.time_base().num(1).den(RATE);
    context.framerate().num(RATE).den(1);
    context.gop_size(RATE);
    context.bit_rate(Math.round(BITS_A_PIXEL * clip.width() * clip.height() * RATE));
  }

  private static Report.ClipTrack audio(Command.MakeClip clip, BooleanSupplier stop) {
    String chain =
        ("sine=f=440:b=4:r=%d:d=%d,"
                + "aformat=sample_fmts=fltp:sample_rates=%d:channel_layouts=stereo")
            .formatted(SAMPLE_RATE, clip.seconds(), SAMPLE_RATE);
    try (Filter source = Filter.source(chain, false);
        Encoder encoder = Encoder.open("aac", ClipMaking::describeSound, Map.of())) {
      source.pieces(AAC_FRAME);
      List<Encoded> packets = encode(source, encoder, stop);
      return write(
          clip, "aac", encoder.header(), packets, new Ticks(SAMPLE_RATE, AAC_FRAME, AAC_DELAY));
    }
  }

  private static void describeSound(AVCodecContext context) {
    context.sample_rate(SAMPLE_RATE);
    context.sample_fmt(avutil.AV_SAMPLE_FMT_FLTP);
    avutil.av_channel_layout_default(context.ch_layout(), 2);
    context.time_base().num(1).den(SAMPLE_RATE);
    context.bit_rate(128_000);
  }

  private static List<Encoded> encode(Filter source, Encoder encoder, BooleanSupplier stop) {
    List<Encoded> packets = new ArrayList<>();
    Picture next = source.pull();
    while (next != null) {
      try (Picture picture = next) {
        encoder.encode(picture, packets::add);
      }
      if (stop.getAsBoolean()) {
        throw new CancellationException("The clip is not wanted any more");
      }
      next = source.pull();
    }
    encoder.encode(null, packets::add);
    if (packets.isEmpty()) {
      throw new AvException("The clip came out empty");
    }
    return packets;
  }

  /**
   * When samples are shown.
   *
   * @param timescale ticks a second
   * @param each how many a sample lasts
   * @param skip how many are decoded and not heard
   */
  private record Ticks(int timescale, long each, int skip) {}

  private static Report.ClipTrack write(
      Command.MakeClip clip, String codec, byte[] header, List<Encoded> packets, Ticks ticks) {
    byte[] first = packets.getFirst().data();
    long early = ticks.skip() == 0 ? 0 : packets.getFirst().pts() + ticks.skip();
    CodecConfig config = CodecConfig.of(codec, header, first);
    Path file = clip.directory().resolve(codec);
    ChunkHeader begin = ChunkHeader.of(new UnitId(codec, 0), ticks.timescale(), header);
    try (ChunkWriter writer = ChunkWriter.open(file, begin)) {
      for (Encoded packet : packets) {
        writer.add(
            new Sample(
                packet.pts() - early,
                packet.dts() - early,
                ticks.each(),
                packet.key(),
                config.sample(packet.data())));
      }
      writer.commit();
    }
    return new Report.ClipTrack(file, codec, header, first, ticks.timescale(), ticks.skip());
  }
}
