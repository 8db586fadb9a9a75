package dev.fairlead.media.av;

import static dev.fairlead.media.av.AvException.checkDevice;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.bytedeco.ffmpeg.avcodec.AVCodec;
import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.avcodec.AVCodecHWConfig;
import org.bytedeco.ffmpeg.avutil.AVBufferRef;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.avutil.AVHWFramesContext;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avutil;
import org.bytedeco.javacpp.Pointer;
import org.jspecify.annotations.Nullable;

/** Devices beside the processor, and the pictures that lie in their memory. */
public final class Hardware {
  public static final String CUDA = "cuda";
  public static final String VAAPI = "vaapi";

  private static final int PRIMARY_CONTEXT = 1; // AV_CUDA_USE_PRIMARY_CONTEXT

  private Hardware() {}

  /** Which device: {@code cuda} and its number, {@code vaapi} and its render node. */
  private record Key(String api, String device) {}

  /**
   * A device of this process. Opening one takes long and costs memory on the device, so all
   * encoders and decoders there share it; it stays open until something on it fails, or the process
   * ends.
   */
  private static final class Shared {
    private @Nullable AVBufferRef opened;

    /** A reference for one user, who releases it. */
    synchronized AVBufferRef take(Key key) {
      AVBufferRef device = opened;
      if (device == null) {
        device = create(key);
        opened = device;
      }
      return avutil.av_buffer_ref(device);
    }

    /** Whoever comes next opens it anew; it closes when its last user has released it. */
    synchronized void forget() {
      if (opened != null) {
        avutil.av_buffer_unref(opened);
        opened = null;
      }
    }
  }

  private static final Map<Key, Shared> DEVICES = new ConcurrentHashMap<>();

  private static AVBufferRef create(Key key) {
    AVBufferRef opened = new AVBufferRef(null);
    ErrorLog.forget();
    // The context of CUDA that every user of a card in a process has anyway.
    int flags = key.api().equals(CUDA) ? PRIMARY_CONTEXT : 0;
    checkDevice(
        "opening %s %s".formatted(key.api(), key.device()),
        avutil.av_hwdevice_ctx_create(opened, type(key.api()), key.device(), null, flags));
    return opened;
  }

  /** A device, such as {@code vaapi} and its render node; whoever asks releases it. */
  static AVBufferRef open(String api, String device) {
    Ffmpeg.load();
    Key key = new Key(api, device);
    return DEVICES.computeIfAbsent(key, absent -> new Shared()).take(key);
  }

  /** Has a device on which something has failed opened anew for the next user. */
  public static void forget(String api, String device) {
    Shared shared = DEVICES.get(new Key(api, device));
    if (shared != null) {
      shared.forget();
    }
  }

  private static int type(String api) {
    int type = avutil.av_hwdevice_find_type_by_name(api);
    if (type == avutil.AV_HWDEVICE_TYPE_NONE) {
      throw new AvException("This FFmpeg knows no " + api);
    }
    return type;
  }

  /** The decoder of a codec that can work on such devices; not always the usual one. */
  static AVCodec decoder(int codec, String api) {
    int type = type(api);
    try (Pointer place = new Pointer()) {
      for (AVCodec each = next(place); each != null; each = next(place)) {
        if (each.id() == codec && avcodec.av_codec_is_decoder(each) != 0 && worksOn(each, type)) {
          return each;
        }
      }
    }
    throw new AvException(
        "There is no decoder for %s on %s"
            .formatted(avcodec.avcodec_get_name(codec).getString(), api));
  }

  private static AVCodec next(Pointer place) {
    return avcodec.av_codec_iterate(place);
  }

  private static boolean worksOn(AVCodec codec, int type) {
    int place = 0;
    AVCodecHWConfig config = avcodec.avcodec_get_hw_config(codec, place);
    while (config != null) {
      boolean byDevice = (config.methods() & avcodec.AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX) != 0;
      if (byDevice && config.device_type() == type) {
        return true;
      }
      config = avcodec.avcodec_get_hw_config(codec, ++place);
    }
    return false;
  }

  /** Makes an encoder that is not open yet work on a device of CUDA, by its number. */
  public static void bindCuda(AVCodecContext context, String number) {
    // It is the context's, and goes with it.
    context.hw_device_ctx(open(CUDA, number));
  }

  /**
   * Makes an encoder that is not open yet read its pictures from the memory of a VAAPI device; it
   * has its size already.
   *
   * @param format of the pictures that will be uploaded, such as {@code nv12}
   */
  public static void bindVaapi(AVCodecContext context, String node, String format) {
    AVBufferRef device = open(VAAPI, node);
    AVBufferRef frames = null;
    try {
      frames = avutil.av_hwframe_ctx_alloc(device);
      if (frames == null) {
        throw new AvException("No memory for pictures on " + node);
      }
      AVHWFramesContext described = new AVHWFramesContext(frames.data());
      described.format(avutil.AV_PIX_FMT_VAAPI);
      described.sw_format(avutil.av_get_pix_fmt(format));
      described.width(context.width());
      described.height(context.height());
      checkDevice("reserving pictures on " + node, avutil.av_hwframe_ctx_init(frames));
      context.pix_fmt(avutil.AV_PIX_FMT_VAAPI);
      // From here on it is the context's, and goes with it.
      context.hw_frames_ctx(frames);
      frames = null;
    } finally {
      if (frames != null) {
        avutil.av_buffer_unref(frames);
      }
      avutil.av_buffer_unref(device);
    }
  }

  /** Copies a picture into the memory that an encoder reads from. */
  static void upload(AVCodecContext context, AVFrame from, AVFrame to) {
    checkDevice(
        "reserving a picture", avutil.av_hwframe_get_buffer(context.hw_frames_ctx(), to, 0));
    checkDevice("uploading a picture", avutil.av_hwframe_transfer_data(to, from, 0));
    checkDevice("uploading a picture", avutil.av_frame_copy_props(to, from));
  }

  /** Copies a picture out of a device's memory. */
  static void download(AVFrame from, AVFrame to) {
    checkDevice("downloading a picture", avutil.av_hwframe_transfer_data(to, from, 0));
    checkDevice("downloading a picture", avutil.av_frame_copy_props(to, from));
  }
}
