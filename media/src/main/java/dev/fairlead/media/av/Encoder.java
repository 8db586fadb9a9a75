package dev.fairlead.media.av;

import static dev.fairlead.media.av.AvException.check;
import static dev.fairlead.media.av.AvException.checkDevice;
import static dev.fairlead.media.av.AvException.checkMoreOfDevice;

import java.util.Map;
import java.util.function.Consumer;
import org.bytedeco.ffmpeg.avcodec.AVCodec;
import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avutil;
import org.jspecify.annotations.Nullable;

/** Turns pictures or sound into packets. One thread at a time; used once. */
public final class Encoder implements AutoCloseable {
  private final AVCodecContext context;
  private final AVPacket packet;
  private final AVFrame frame;
  private final AVFrame uploaded;
  private boolean closed;

  private Encoder(AVCodecContext context) {
    this.context = context;
    this.packet = avcodec.av_packet_alloc();
    this.frame = avutil.av_frame_alloc();
    this.uploaded = avutil.av_frame_alloc();
  }

  /** Sets what the options by name do not: size, format, time base. */
  public interface Settings {
    void on(AVCodecContext context);
  }

  /** Opens the encoder of that name. */
  public static Encoder open(String name, Settings settings, Map<String, String> values) {
    Ffmpeg.load();
    AVCodec codec = avcodec.avcodec_find_encoder_by_name(name);
    if (codec == null) {
      throw new AvException("There is no encoder " + name);
    }
    ErrorLog.forget();
    Encoder encoder = new Encoder(avcodec.avcodec_alloc_context3(codec));
    try (Options options = Options.of(values)) {
      settings.on(encoder.context);
      encoder.context.flags(encoder.context.flags() | avcodec.AV_CODEC_FLAG_GLOBAL_HEADER);
      int answer = avcodec.avcodec_open2(encoder.context, codec, options.dictionary());
      UsualPriority.restore();
      checkDevice("opening the encoder " + name, answer);
      options.requireUsed(name);
      return encoder;
    } catch (RuntimeException failure) {
      encoder.close();
      throw failure;
    }
  }

  public AVCodecContext context() {
    return context;
  }

  /** Encodes a picture, or what is left if there is none. */
  public void encode(@Nullable Picture picture, Consumer<Encoded> sink) {
    ErrorLog.forget();
    try {
      checkDevice(
          "encoding", avcodec.avcodec_send_frame(context, picture == null ? null : own(picture)));
    } finally {
      avutil.av_frame_unref(frame);
      avutil.av_frame_unref(uploaded);
    }
    while (checkMoreOfDevice("encoding", avcodec.avcodec_receive_packet(context, packet))) {
      byte[] data = new byte[packet.size()];
      packet.data().position(0).get(data);
      boolean key = (packet.flags() & avcodec.AV_PKT_FLAG_KEY) != 0;
      Encoded encoded = new Encoded(packet.pts(), packet.dts(), packet.duration(), key, data);
      avcodec.av_packet_unref(packet);
      sink.accept(encoded);
    }
  }

  /** The picture as this encoder wants it, where it wants it. */
  private AVFrame own(Picture picture) {
    check("holding a picture", avutil.av_frame_ref(frame, picture.frame()));
    // Whether a frame becomes a key is decided here, not by what it was in the source.
    frame.pict_type(avutil.AV_PICTURE_TYPE_NONE);
    frame.flags(frame.flags() & ~AVFrame.AV_FRAME_FLAG_KEY);
    if (context.hw_frames_ctx() == null || frame.hw_frames_ctx() != null) {
      return frame;
    }
    Hardware.upload(context.hw_frames_ctx(), frame, uploaded);
    return uploaded;
  }

  /** What the encoder says about its stream ahead of it; empty if it does not. */
  public byte[] header() {
    byte[] header = new byte[Math.max(0, context.extradata_size())];
    if (header.length > 0) {
      context.extradata().position(0).get(header);
    }
    return header;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      avutil.av_frame_free(frame);
      avutil.av_frame_free(uploaded);
      avcodec.av_packet_free(packet);
      avcodec.avcodec_free_context(context);
    }
  }
}
