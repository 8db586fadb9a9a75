package dev.fairlead.media.pack;

import static org.bytedeco.ffmpeg.global.avcodec.AV_PKT_FLAG_KEY;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_alloc;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_free;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_unref;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_get_name;
import static org.bytedeco.ffmpeg.global.avformat.av_read_frame;
import static org.bytedeco.ffmpeg.global.avformat.avformat_close_input;
import static org.bytedeco.ffmpeg.global.avformat.avformat_find_stream_info;
import static org.bytedeco.ffmpeg.global.avformat.avformat_open_input;

import dev.fairlead.media.TestingFfmpeg;
import dev.fairlead.media.codec.CodecConfig;
import dev.fairlead.media.store.Sample;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bytedeco.ffmpeg.avcodec.AVCodecParameters;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avformat.AVFormatContext;
import org.bytedeco.ffmpeg.avutil.AVDictionary;
import org.bytedeco.javacpp.BytePointer;

/** What an encoder of the bundled build made: its config, and samples as a file holds them. */
record TestingStream(CodecConfig config, int timescale, List<Sample> samples) {
  private static final int AAC_DELAY = 1024;

  /** Encodes with {@code arguments} of the ffmpeg program into one stream. */
  static TestingStream encode(Path directory, int timescale, String... arguments) {
    // This container keeps the header that the encoder gave as it is.
    Path file = directory.resolve("stream.nut");
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("-bitexact", "-f", "nut", file.toString()));
    TestingFfmpeg.ffmpeg(all.toArray(String[]::new));
    return read(file, timescale);
  }

  TrackFormat.Video video() {
    return TrackFormat.Video.of((CodecConfig.Picture) config, timescale);
  }

  TrackFormat.Audio audio(String language) {
    int priming = (int) -samples.getFirst().dts();
    return TrackFormat.Audio.of((CodecConfig.Sound) config, priming, language);
  }

  /** Runs of samples of which each begins with a sync sample and lasts {@code ticks} or more. */
  List<List<Sample>> chunks(long ticks) {
    List<List<Sample>> chunks = new ArrayList<>();
    long length = ticks;
    for (Sample sample : samples) {
      if (length >= ticks && sample.sync()) {
        chunks.add(new ArrayList<>());
        length = 0;
      }
      chunks.getLast().add(sample);
      length += sample.duration();
    }
    return chunks;
  }

  private static TestingStream read(Path file, int timescale) {
    AVFormatContext context = new AVFormatContext(null);
    check(avformat_open_input(context, file.toString(), null, null));
    check(avformat_find_stream_info(context, (AVDictionary) null));
    AVCodecParameters parameters = context.streams(0).codecpar();
    String codec = avcodec_get_name(parameters.codec_id()).getString();
    byte[] extradata = bytes(parameters.extradata(), parameters.extradata_size());
    long num = context.streams(0).time_base().num();
    long den = context.streams(0).time_base().den();
    List<Sample> packets = new ArrayList<>();
    AVPacket packet = av_packet_alloc();
    while (av_read_frame(context, packet) >= 0) {
      packets.add(
          new Sample(
              Math.round((double) packet.pts() * num * timescale / den),
              Math.round((double) packet.dts() * num * timescale / den),
              Math.round((double) packet.duration() * num * timescale / den),
              (packet.flags() & AV_PKT_FLAG_KEY) != 0,
              bytes(packet.data(), packet.size())));
      av_packet_unref(packet);
    }
    av_packet_free(packet);
    avformat_close_input(context);
    CodecConfig config = CodecConfig.of(codec, extradata, packets.getFirst().data());
    // Decoding begins when showing begins.
    long primed =
        switch (config) {
          case CodecConfig.Opus opus -> opus.preSkip();
          case CodecConfig.Aac _ -> AAC_DELAY;
          case CodecConfig.Picture _ -> 0;
        };
    long early = packets.getFirst().pts() - packets.getFirst().dts();
    List<Sample> samples =
        IntStream.range(0, packets.size())
            .mapToObj(i -> lasting(packets, i))
            .map(p ->
                new Sample(
                    p.pts() - primed,
                    p.dts() + early - primed,
                    p.duration(),
                    p.sync(),
                    config.sample(p.data())))
            .toList();
    return new TestingStream(config, timescale, samples);
  }

  /** The container leaves some durations out; then the sample lasts until the next one. */
  private static Sample lasting(List<Sample> packets, int i) {
    Sample sample = packets.get(i);
    if (sample.duration() > 0) {
      return sample;
    }
    int from = Math.min(i, packets.size() - 2);
    long duration = packets.get(from + 1).dts() - packets.get(from).dts();
    return new Sample(sample.pts(), sample.dts(), duration, sample.sync(), sample.data());
  }

  private static byte[] bytes(BytePointer from, int size) {
    byte[] bytes = new byte[size];
    if (size > 0) {
      from.get(bytes);
    }
    return bytes;
  }

  private static void check(int code) {
    if (code < 0) {
      throw new AssertionError("FFmpeg answers " + code);
    }
  }
}
