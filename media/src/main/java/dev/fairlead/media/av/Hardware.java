package dev.fairlead.media.av;

import static dev.fairlead.media.av.AvException.checkDevice;

import org.bytedeco.ffmpeg.avcodec.AVCodec;
import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.avcodec.AVCodecHWConfig;
import org.bytedeco.ffmpeg.avutil.AVBufferRef;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.avutil.AVHWFramesContext;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avutil;
import org.bytedeco.javacpp.Pointer;

/** Devices beside the processor, and the pictures that lie in their memory. */
public final class Hardware {
  private Hardware() {}

  /** Opens a device, such as {@code vaapi} and its render node; whoever asks releases it. */
  static AVBufferRef open(String api, String device) {
    Ffmpeg.load();
    AVBufferRef opened = new AVBufferRef(null);
    ErrorLog.forget();
    checkDevice(
        "opening %s %s".formatted(api, device),
        avutil.av_hwdevice_ctx_create(opened, type(api), device, null, 0));
    return opened;
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

  /**
   * Makes an encoder that is not open yet read its pictures from the memory of a VAAPI device; it
   * has its size already.
   *
   * @param format of the pictures that will be uploaded, such as {@code nv12}
   */
  public static void bindVaapi(AVCodecContext context, String node, String format) {
    AVBufferRef device = open("vaapi", node);
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
