package dev.fairlead.media.av;

import static dev.fairlead.media.av.AvException.check;

import java.util.function.Consumer;
import org.bytedeco.ffmpeg.avcodec.AVCodec;
import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.avcodec.AVCodecDescriptor;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avformat.AVStream;
import org.bytedeco.ffmpeg.avutil.AVDictionary;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avutil;
import org.jspecify.annotations.Nullable;

/** Turns the packets of one stream into pictures or sound. One thread at a time. */
public final class Decoder implements AutoCloseable {
  private static final int EXPLODE = 1 << 3; // AV_EF_EXPLODE: no picture at all rather than a guess

  private final AVCodecContext context;
  private final AVFrame frame;
  private final boolean timed;
  private boolean closed;

  private Decoder(AVCodecContext context, boolean timed) {
    this.context = context;
    this.frame = avutil.av_frame_alloc();
    this.timed = timed;
  }

  /** Opens the decoder of a stream with so many threads of its own. */
  public static Decoder open(AVStream stream, int threads) {
    AVCodec codec = avcodec.avcodec_find_decoder(stream.codecpar().codec_id());
    if (codec == null) {
      throw new AvException(
          "There is no decoder for "
              + avcodec.avcodec_get_name(stream.codecpar().codec_id()).getString());
    }
    AVCodecContext context = avcodec.avcodec_alloc_context3(codec);
    Decoder decoder = new Decoder(context, true);
    try {
      check(
          "describing the stream",
          avcodec.avcodec_parameters_to_context(context, stream.codecpar()));
      context.pkt_timebase(stream.time_base());
      context.thread_count(threads);
      check("opening the decoder", avcodec.avcodec_open2(context, codec, (AVDictionary) null));
      return decoder;
    } catch (RuntimeException failure) {
      decoder.close();
      throw failure;
    }
  }

  /** Opens the decoder of a codec for a stream that says everything itself. */
  public static Decoder open(String codec) {
    Ffmpeg.load();
    AVCodecDescriptor known = avcodec.avcodec_descriptor_get_by_name(codec);
    AVCodec its = known == null ? null : avcodec.avcodec_find_decoder(known.id());
    if (its == null) {
      throw new AvException("There is no decoder for " + codec);
    }
    Decoder decoder = new Decoder(avcodec.avcodec_alloc_context3(its), false);
    try {
      decoder.context.thread_count(1);
      decoder.context.err_recognition(EXPLODE);
      check(
          "opening the decoder", avcodec.avcodec_open2(decoder.context, its, (AVDictionary) null));
      return decoder;
    } catch (RuntimeException failure) {
      decoder.close();
      throw failure;
    }
  }

  /** Decodes the bytes of one packet and gives out all that comes of them; false if damaged. */
  public boolean decodeData(byte[] data, Consumer<Picture> sink) {
    AVPacket packet = avcodec.av_packet_alloc();
    try {
      check("holding a packet", avcodec.av_new_packet(packet, data.length));
      packet.data().position(0).put(data);
      boolean intact = decode(packet, sink);
      return decode(null, sink) && intact;
    } finally {
      avcodec.av_packet_free(packet);
    }
  }

  /** Decodes a packet, or what is left if there is none; damaged ones are reported and skipped. */
  public boolean decode(@Nullable AVPacket packet, Consumer<Picture> sink) {
    boolean intact = avcodec.avcodec_send_packet(context, packet) >= 0;
    while (true) {
      int answer = avcodec.avcodec_receive_frame(context, frame);
      if (answer == avutil.AVERROR_INVALIDDATA()) {
        intact = false;
        continue;
      }
      if (!AvException.checkMore("decoding", answer)) {
        return intact;
      }
      long pts = timed ? frame.best_effort_timestamp() : frame.pts();
      sink.accept(Picture.take(frame, pts));
    }
  }

  /** Forgets what came before a jump. */
  public void flush() {
    avcodec.avcodec_flush_buffers(context);
  }

  public AVCodecContext context() {
    return context;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      avutil.av_frame_free(frame);
      avcodec.avcodec_free_context(context);
    }
  }
}
