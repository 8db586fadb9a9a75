package dev.fairlead.media.av;

import static dev.fairlead.media.av.AvException.checkCopy;
import static dev.fairlead.media.av.AvException.checkDevice;

import java.util.Map;
import java.util.OptionalLong;
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

/** Devices beside the processor, and the pictures that lie in their memory. */
public final class Hardware {
  public static final String CUDA = "cuda";
  public static final String VAAPI = "vaapi";

  private Hardware() {}

  /** Which device: {@code cuda} and its number, {@code vaapi} and its render node. */
  public record Place(String api, String device) {}

  private static final Map<Place, SharedDevice> DEVICES = new ConcurrentHashMap<>();

  static SharedDevice shared(String api, String device) {
    Ffmpeg.load();
    return DEVICES.computeIfAbsent(new Place(api, device), absent -> new SharedDevice(api, device));
  }

  /** A device, such as {@code vaapi} and its render node; the caller releases it. */
  static AVBufferRef open(String api, String device) {
    return shared(api, device).take();
  }

  /** Has a device on which something has failed opened anew for the next user. */
  public static void forget(String api, String device) {
    SharedDevice shared = DEVICES.get(new Place(api, device));
    if (shared != null) {
      shared.forget();
    }
  }

  /** Bytes of a device's memory that are free; empty where its driver does not tell. */
  public static OptionalLong freeBytes(String api, String device) {
    return shared(api, device).freeBytes();
  }

  /** Whether a picture has been decoded on a device and is in its memory. */
  public static boolean holds(String api, String device, Picture picture) {
    return picture.isOn(shared(api, device));
  }

  /**
   * A picture in the memory of a device, which the caller owns. One that is in the memory of the
   * host is copied there once for all who ask, as long as it is not closed and there is room for
   * copies.
   */
  public static Picture upload(String api, String device, Picture picture) {
    return shared(api, device).upload(picture);
  }

  static int type(String api) {
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
   * Makes an encoder that is not open yet read its pictures from the memory of a device; it has its
   * size already.
   *
   * @param format of the samples there, such as {@code nv12}
   */
  public static void bindFrames(AVCodecContext context, String api, String device, String format) {
    AVBufferRef frames =
        shared(api, device).room(context.width(), context.height(), avutil.av_get_pix_fmt(format));
    context.pix_fmt(new AVHWFramesContext(frames.data()).format());
    // From here on it is the context's, and goes with it.
    context.hw_frames_ctx(frames);
  }

  /** Copies a picture into room that a device has for such. */
  static void upload(AVBufferRef frames, AVFrame from, AVFrame to) {
    checkDevice("reserving a picture", avutil.av_hwframe_get_buffer(frames, to, 0));
    ErrorLog.forget();
    checkCopy("uploading a picture", avutil.av_hwframe_transfer_data(to, from, 0));
    checkDevice("uploading a picture", avutil.av_frame_copy_props(to, from));
  }

  /** Copies a picture out of a device's memory. */
  static void download(AVFrame from, AVFrame to) {
    ErrorLog.forget();
    checkCopy("downloading a picture", avutil.av_hwframe_transfer_data(to, from, 0));
    checkDevice("downloading a picture", avutil.av_frame_copy_props(to, from));
  }
}
