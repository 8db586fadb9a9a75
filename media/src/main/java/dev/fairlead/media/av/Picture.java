package dev.fairlead.media.av;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.bytedeco.ffmpeg.avutil.AVBufferRef;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.avutil.AVHWFramesContext;
import org.bytedeco.ffmpeg.global.avutil;
import org.jspecify.annotations.Nullable;

/**
 * One uncompressed picture, or piece of sound, and its timestamp. Several threads may read it; its
 * one owner closes it. Its buffers may be shared with what decoded it.
 */
public final class Picture implements AutoCloseable {
  private static final int PLANES = 8;
  private static final int ROW_BYTES = 64;

  /** How its samples lie in memory and stand for colours; filters are made for one shape. */
  public record Shape(int width, int height, int format, int matrix, int range) {
    /** Whether luma, or red, green and blue, use all values, not 16 to 235. */
    public boolean isFullRange() {
      return range == avutil.AVCOL_RANGE_JPEG;
    }

    /** Whether its samples are red, green and blue. */
    public boolean isRgb() {
      return Picture.isRgb(format);
    }
  }

  private final AVFrame frame;
  private final long pts;
  private final long bytes;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Set<SharedDevice> copiedTo = ConcurrentHashMap.newKeySet(1);

  /** The device that has decoded it and in whose memory it is; null if it is elsewhere. */
  private final @Nullable SharedDevice home;

  /** A copy out of a device's memory, for all who need one. Guarded by this. */
  private @Nullable Picture onHost;

  /** Takes over what is in the frame, which is left empty for the next one. */
  static Picture take(AVFrame from, long pts) {
    return take(from, pts, null);
  }

  /** The same of a picture in the memory of the device that has decoded it. */
  static Picture take(AVFrame from, long pts, @Nullable SharedDevice home) {
    AVFrame frame = avutil.av_frame_alloc();
    if (frame == null) {
      throw new AvException("No memory for a picture");
    }
    avutil.av_frame_move_ref(frame, from);
    frame.pts(pts);
    return new Picture(frame, pts, home);
  }

  private Picture(AVFrame frame, long pts, @Nullable SharedDevice home) {
    this.frame = frame;
    this.pts = pts;
    this.home = home;
    this.bytes = bytes(frame);
  }

  private static long bytes(AVFrame frame) {
    if (frame.format() == avutil.AV_PIX_FMT_VAAPI) {
      return surfaceBytes(new AVHWFramesContext(frame.hw_frames_ctx().data()));
    }
    long sum = 0;
    for (int plane = 0; plane < PLANES; plane++) {
      var buffer = frame.buf(plane);
      sum += buffer == null || buffer.isNull() ? 0 : buffer.size();
    }
    return sum;
  }

  /** A frame of VAAPI has the number of its surface, and not the memory. */
  private static long surfaceBytes(AVHWFramesContext frames) {
    return Math.max(
        0,
        avutil.av_image_get_buffer_size(
            frames.sw_format(), frames.width(), frames.height(), ROW_BYTES));
  }

  public AVFrame frame() {
    if (closed.get()) {
      throw new IllegalStateException("The picture at " + pts + " is closed");
    }
    return frame;
  }

  /** When it is shown, in ticks of its track. */
  public long pts() {
    return pts;
  }

  /** How long it lasts by what its decoder knows, in the same ticks; zero if it does not. */
  public long duration() {
    return Math.max(0, frame().duration());
  }

  /** Its shape, in whichever memory it is. */
  public Shape shape() {
    AVFrame its = frame();
    int format =
        home == null ? its.format() : new AVHWFramesContext(its.hw_frames_ctx().data()).sw_format();
    return new Shape(its.width(), its.height(), format, its.colorspace(), its.color_range());
  }

  /** Whether it is in the memory of the device that has decoded it. */
  public boolean isOnDevice() {
    return home != null;
  }

  /** The device that has decoded it and in whose memory it is; empty if it is elsewhere. */
  public Optional<Hardware.Place> home() {
    return Optional.ofNullable(home).map(SharedDevice::place);
  }

  /**
   * Which pool of a device's memory it is in, as filters there are made for one; zero for the
   * memory of the host.
   */
  public long pool() {
    AVBufferRef frames = frame().hw_frames_ctx();
    return frames == null ? 0 : frames.data().address();
  }

  boolean isOn(SharedDevice device) {
    return home == device;
  }

  /**
   * The same picture in the memory of the host: itself, or a copy that is made once for all who
   * ask. It is closed with this one.
   */
  public synchronized Picture onHost() {
    if (home == null) {
      return this;
    }
    Picture copy = onHost;
    if (copy == null) {
      copy = downloaded();
      onHost = copy;
    }
    return copy;
  }

  /** Whether samples of a pixel format are red, green and blue, or places in a palette of these. */
  public static boolean isRgb(int format) {
    var known = avutil.av_pix_fmt_desc_get(format);
    return known != null
        && !known.isNull()
        && (known.flags() & (avutil.AV_PIX_FMT_FLAG_RGB | avutil.AV_PIX_FMT_FLAG_PAL)) != 0;
  }

  /** Whether its decoder had to make up some of it. */
  public boolean isConcealed() {
    return frame().decode_error_flags() != 0
        || (frame().flags() & AVFrame.AV_FRAME_FLAG_CORRUPT) != 0;
  }

  /** The same picture at another time; both are to be closed. */
  public Picture at(long time) {
    AVFrame copy = avutil.av_frame_alloc();
    AvException.check("holding a picture", avutil.av_frame_ref(copy, frame()));
    copy.pts(time);
    return new Picture(copy, time, home);
  }

  /** A device has a copy, which goes when this is closed. */
  void copiedTo(SharedDevice device) {
    copiedTo.add(device);
    if (closed.get()) {
      device.release(this);
    }
  }

  /** The same picture in the memory of the host, out of that of a device; both are to be closed. */
  public Picture downloaded() {
    AVFrame copy = avutil.av_frame_alloc();
    try {
      Hardware.download(frame(), copy);
      return take(copy, pts);
    } finally {
      avutil.av_frame_free(copy);
    }
  }

  /** The memory that it holds. */
  public long bytes() {
    return bytes;
  }

  public int width() {
    return frame().width();
  }

  public int height() {
    return frame().height();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      copiedTo.forEach(device -> device.release(this));
      closeCopy();
      avutil.av_frame_free(frame);
    }
  }

  private synchronized void closeCopy() {
    if (onHost != null) {
      onHost.close();
    }
  }
}
