package dev.fairlead.media.av;

import static dev.fairlead.media.av.AvException.check;

import java.util.function.Consumer;
import org.bytedeco.ffmpeg.avcodec.AVCodec;
import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.avcodec.AVCodecDescriptor;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avformat.AVStream;
import org.bytedeco.ffmpeg.avutil.AVBufferRef;
import org.bytedeco.ffmpeg.avutil.AVDictionary;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avutil;
import org.jspecify.annotations.Nullable;

/** Turns the packets of one stream into pictures or sound. One thread at a time. */
public final class Decoder implements AutoCloseable {
  private static final int EXPLODE = 1 << 3; // AV_EF_EXPLODE: no picture at all rather than a guess

  /** In the log where a copy within a card has failed. */
  private static final String COPY = "cuMemcpy";

  /** Of a picture that is smaller than most. */
  private static final int OTHER_SIDE = 16;

  private final AVCodecContext context;
  private final AVFrame frame;
  private final AVFrame downloaded;
  private final boolean timed;
  private final @Nullable SharedDevice device;
  private final boolean stays;
  private boolean closed;

  private Decoder(
      AVCodecContext context, boolean timed, @Nullable SharedDevice device, boolean stays) {
    this.context = context;
    this.frame = avutil.av_frame_alloc();
    this.downloaded = avutil.av_frame_alloc();
    this.timed = timed;
    this.device = device;
    this.stays = stays;
  }

  private static Decoder onProcessor(AVCodec codec, boolean timed) {
    return new Decoder(avcodec.avcodec_alloc_context3(codec), timed, null, false);
  }

  /** Opens the decoder of a stream with so many threads of its own. */
  public static Decoder open(AVStream stream, int threads) {
    AVCodec codec = avcodec.avcodec_find_decoder(stream.codecpar().codec_id());
    if (codec == null) {
      throw new AvException(
          "There is no decoder for "
              + avcodec.avcodec_get_name(stream.codecpar().codec_id()).getString());
    }
    return open(stream, onProcessor(codec, true), threads);
  }

  /**
   * Opens the decoder of a stream on a device, such as {@code cuda} and {@code 0}. It is strict:
   * what the device does not decode is a failure, for damage and a device's limits look the same
   * from here.
   *
   * @param stays whether pictures come out in the memory of the device, and not of the host
   */
  public static Decoder open(AVStream stream, String api, String device, boolean stays) {
    AVBufferRef opened = Hardware.open(api, device);
    try {
      AVCodec codec = Hardware.decoder(stream.codecpar().codec_id(), api);
      AVCodecContext context = avcodec.avcodec_alloc_context3(codec);
      context.hw_device_ctx(avutil.av_buffer_ref(opened));
      return open(stream, new Decoder(context, true, Hardware.shared(api, device), stays), 1);
    } finally {
      avutil.av_buffer_unref(opened);
    }
  }

  private static Decoder open(AVStream stream, Decoder decoder, int threads) {
    AVCodecContext context = decoder.context;
    try {
      check(
          "describing the stream",
          avcodec.avcodec_parameters_to_context(context, stream.codecpar()));
      context.pkt_timebase(stream.time_base());
      context.thread_count(threads);
      context.max_pixels(Limits.pixels());
      check("opening the decoder", avcodec.avcodec_open2(context, null, (AVDictionary) null));
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
    Decoder decoder = onProcessor(its, false);
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
    boolean intact = decodeNext(data, sink);
    return decode(null, sink) && intact;
  }

  /** Decodes the bytes of one packet of many and gives out what is ready; false if damaged. */
  public boolean decodeNext(byte[] data, Consumer<Picture> sink) {
    AVPacket packet = avcodec.av_packet_alloc();
    try {
      check("holding a packet", avcodec.av_new_packet(packet, data.length));
      packet.data().position(0).put(data);
      return decode(packet, sink);
    } finally {
      avcodec.av_packet_free(packet);
    }
  }

  /** Decodes a packet, or what is left if there is none; damaged ones are reported and skipped. */
  public boolean decode(@Nullable AVPacket packet, Consumer<Picture> sink) {
    ErrorLog.forget();
    int sent = avcodec.avcodec_send_packet(context, packet);
    if (device != null) {
      check("decoding on " + device, sent);
    }
    boolean intact = sent >= 0;
    while (true) {
      int answer = avcodec.avcodec_receive_frame(context, frame);
      if (answer == avutil.AVERROR_INVALIDDATA() && device == null) {
        intact = false;
        continue;
      }
      if (!AvException.checkMore("decoding", answer)) {
        return intact;
      }
      long pts = timed ? frame.best_effort_timestamp() : frame.pts();
      sink.accept(device == null ? Picture.take(frame, pts) : decodedOn(device, pts));
    }
  }

  private Picture decodedOn(SharedDevice its, long pts) {
    try {
      requireWhole(its);
      if (stays) {
        return Picture.take(frame, pts, its);
      }
      Hardware.download(frame, downloaded);
      return Picture.take(downloaded, pts);
    } finally {
      avutil.av_frame_unref(frame);
    }
  }

  /**
   * Of what a device gives out FFmpeg cuts the right and the bottom only. From a card of CUDA it
   * copies a row of chroma too few if pictures have an odd height, and does not say when a copy
   * within the card has failed.
   */
  private void requireWhole(SharedDevice its) {
    if (frame.hw_frames_ctx() == null) {
      throw new AvException(its + " does not decode this kind of stream");
    }
    boolean odd = its.isOfCuda() && frame.height() % 2 != 0;
    if (frame.crop_left() != 0 || frame.crop_top() != 0 || odd) {
      throw new AvException(its + " does not give out pictures that are cut like these");
    }
    String logged = ErrorLog.recent();
    if (logged.contains(COPY)) {
      throw new AvException("decoding on %s%s".formatted(its, logged));
    }
  }

  /**
   * Gives back what it keeps of memory for pictures to come; between two packets. FFmpeg keeps what
   * pictures leave behind for the next ones until their size changes, so it is told that it does.
   */
  public void trim() {
    if (device == null && context.codec_type() == avutil.AVMEDIA_TYPE_VIDEO) {
      AVFrame other = avutil.av_frame_alloc();
      try {
        other.format(context.pix_fmt()).width(OTHER_SIDE).height(OTHER_SIDE);
        // Where this fails, it keeps what it has.
        int _ = avcodec.avcodec_default_get_buffer2(context, other, 0);
      } finally {
        avutil.av_frame_free(other);
      }
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
      avutil.av_frame_free(downloaded);
      avcodec.avcodec_free_context(context);
    }
  }
}
