package dev.fairlead.media.av;

import static dev.fairlead.media.av.AvException.checkDevice;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.bytedeco.ffmpeg.avutil.AVBufferRef;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.avutil.AVHWFramesContext;
import org.bytedeco.ffmpeg.global.avutil;
import org.jspecify.annotations.Nullable;

/**
 * A device of this process. Opening one takes long and costs memory on the device, so all encoders,
 * decoders and scalers there share it; it stays open until something on it fails, or the process
 * ends.
 *
 * <p>It also has copies of pictures in its memory, one for all who read the same picture there. A
 * copy goes with its picture. Copies beyond {@link #MOST_COPIED} bytes, or beyond a quarter of what
 * was free when the device was opened, are not kept: each reader gets its own then, since the
 * memory is the encoders' in the first place. Thread-safe.
 */
final class SharedDevice {
  private static final int PRIMARY_CONTEXT = 1; // AV_CUDA_USE_PRIMARY_CONTEXT
  private static final long MOST_COPIED = 1L << 30;
  private static final int SHARE_COPIED = 4;

  /** What pictures have in common that can take each other's place in memory. */
  private record Layout(int width, int height, int format) {}

  private final String api;
  private final String device;

  // Guarded by this.
  private @Nullable AVBufferRef opened;
  private final Map<Layout, AVBufferRef> rooms = new HashMap<>();
  private final Map<Picture, Picture> copies = new HashMap<>();
  private final Interleaving interleaving = new Interleaving();
  private long copied;
  private long mostCopied;

  SharedDevice(String api, String device) {
    this.api = api;
    this.device = device;
  }

  Hardware.Place place() {
    return new Hardware.Place(api, device);
  }

  boolean isOfCuda() {
    return api.equals(Hardware.CUDA);
  }

  /** A reference for one user, who releases it. */
  synchronized AVBufferRef take() {
    return avutil.av_buffer_ref(opened());
  }

  private synchronized AVBufferRef opened() {
    AVBufferRef its = opened;
    if (its == null) {
      its = create();
      opened = its;
      OptionalLong free = freeBytes(its);
      mostCopied =
          free.isEmpty() ? MOST_COPIED : Math.min(MOST_COPIED, free.getAsLong() / SHARE_COPIED);
    }
    return its;
  }

  private AVBufferRef create() {
    AVBufferRef created = new AVBufferRef(null);
    ErrorLog.forget();
    // The context of CUDA that every user of a card in a process has anyway.
    int flags = isOfCuda() ? PRIMARY_CONTEXT : 0;
    checkDevice(
        "opening " + this,
        avutil.av_hwdevice_ctx_create(created, Hardware.type(api), device, null, flags));
    return created;
  }

  /**
   * Room for pictures of one size and format; the caller releases it.
   *
   * @param format of their samples, such as {@code nv12}
   */
  synchronized AVBufferRef room(int width, int height, int format) {
    AVBufferRef frames = avutil.av_hwframe_ctx_alloc(opened());
    if (frames == null) {
      throw new AvException("No memory for pictures on " + this);
    }
    try {
      AVHWFramesContext described = new AVHWFramesContext(frames.data());
      described.format(isOfCuda() ? avutil.AV_PIX_FMT_CUDA : avutil.AV_PIX_FMT_VAAPI);
      described.sw_format(format);
      described.width(width);
      described.height(height);
      ErrorLog.forget();
      checkDevice("reserving pictures on " + this, avutil.av_hwframe_ctx_init(frames));
      return frames;
    } catch (RuntimeException failure) {
      avutil.av_buffer_unref(frames);
      throw failure;
    }
  }

  /** Bytes of its memory that are free; empty where drivers do not tell. */
  OptionalLong freeBytes() {
    AVBufferRef its = take();
    try {
      return freeBytes(its);
    } finally {
      avutil.av_buffer_unref(its);
    }
  }

  private OptionalLong freeBytes(AVBufferRef its) {
    return isOfCuda() ? CardMemory.free(its) : OptionalLong.empty();
  }

  /** A picture in the device's memory, which the caller owns; the given one stays where it is. */
  Picture upload(Picture picture) {
    return picture.isOn(this) ? picture.at(picture.pts()) : copied(picture);
  }

  private synchronized Picture copied(Picture picture) {
    Picture copy = copies.get(picture);
    if (copy != null) {
      return copy.at(picture.pts());
    }
    Picture made = copy(picture);
    if (copied + picture.bytes() <= mostCopied) {
      copies.put(picture, made.at(picture.pts()));
      copied += picture.bytes();
      picture.copiedTo(this);
    }
    return made;
  }

  private Picture copy(Picture picture) {
    if (isOfCuda()) {
      return copyAsItIs(picture);
    }
    // Few drivers of VAAPI take planes.
    try (Picture arranged = interleaving.of(picture)) {
      return copyAsItIs(arranged);
    }
  }

  private Picture copyAsItIs(Picture picture) {
    AVFrame from = picture.frame();
    AVBufferRef frames =
        rooms.computeIfAbsent(
            new Layout(from.width(), from.height(), from.format()),
            layout -> room(layout.width(), layout.height(), layout.format()));
    AVFrame to = avutil.av_frame_alloc();
    try {
      Hardware.upload(frames, from, to);
      return Picture.take(to, picture.pts());
    } finally {
      avutil.av_frame_free(to);
    }
  }

  /** The picture is closed: nothing will ask for its copy. */
  synchronized void release(Picture picture) {
    Picture copy = copies.remove(picture);
    if (copy != null) {
      copied -= picture.bytes();
      copy.close();
    }
  }

  /** The next user opens it anew; it closes when its last user has released it. */
  synchronized void forget() {
    copies.values().forEach(Picture::close);
    copies.clear();
    copied = 0;
    rooms.values().forEach(avutil::av_buffer_unref);
    rooms.clear();
    interleaving.close();
    if (opened != null) {
      avutil.av_buffer_unref(opened);
      opened = null;
    }
  }

  @Override
  public String toString() {
    return api + " " + device;
  }
}
