package dev.fairlead.media.plan;

import dev.fairlead.media.source.VideoTrack;
import java.util.Set;

/**
 * What a plan takes of memory, by its parts. An estimate, made before a picture has been seen and
 * meant to be too large rather than too small. The pictures of chunks are counted one by one while
 * it runs; everything else is taken to be as large as it is said to be here.
 *
 * <p>What encoders on the processor take was measured as the resident set of a process that encodes
 * a chunk with one, less that of one that encodes nothing: SVT-AV1 4.2.0 with one thread at 8 bits
 * 28 MB for 320x180, 63 for 640x360, 173 for 1280x720, 350 for 1920x1080 and 1,253 for 3840x2160
 * from preset 9 on; 92 to 108 MB for 640x360 and 281 for 1280x720 below; up to 1.45 times as much
 * at 10 bits. OpenH264 took 27 MB for 1280x720, 65 for 1920x1080. What lanes of other devices take
 * in main memory was not measured.
 *
 * @param processes both processes without any media
 * @param chunk the pictures of one chunk
 * @param pump a decoder, with the pictures that it keeps to itself
 * @param lane an encoder on the processor, for the rung that needs most, with its scaler
 * @param deviceLane the same for an encoder on another device
 * @param sound a decoder and encoders of the audio track in work, and the reader of its file
 */
public record Memory(
    long processes, long chunk, long pump, long lane, long deviceLane, long sound) {
  private static final long MEGA = 1_000_000;
  private static final long PROCESSES = 250 * MEGA;
  private static final int ROW_BYTES = 64;
  private static final int ROWS = 32;

  /** References, the picture in work, and one that is handed on. */
  private static final int DECODER_PICTURES = 20;

  private static final int INTRA_PICTURES = 3;
  private static final Set<String> INTRA =
      Set.of("mjpeg", "prores", "dnxhd", "ffv1", "rawvideo", "huffyuv", "utvideo", "v210", "png");
  private static final long DECODER = 16 * MEGA;

  /** Pictures that filters hold between decoder and chunk. */
  private static final int FILTER_PICTURES = 6;

  /** Pictures of a rung's size between scaler and encoder. */
  private static final int SCALED_PICTURES = 4;

  /** Pictures of the source's size in tone mapping, of three planes in 32 bits. */
  private static final int LINEAR_PICTURES = 4;

  private static final int LINEAR_BYTES = 12;

  /** From this preset on an encoder keeps less. */
  private static final int LIGHT_PRESET = 9;

  private static final long LIGHT = 26 * MEGA;
  private static final int LIGHT_PIXEL = 165;
  private static final long HEAVY = 34 * MEGA;
  private static final int HEAVY_PIXEL = 320;
  private static final double DEEP = 1.45;
  private static final long PLAIN = 20 * MEGA;
  private static final int PLAIN_PIXEL = 35;

  /** Pictures that are scaled before the encoder of another device asks for them. */
  public static final int SCALED_AHEAD = 8;

  private static final int UPLOADED_LEAST = 4;
  private static final int UPLOADED_MOST = 16;
  private static final long UPLOADED_BYTES = 256 * MEGA;

  /** What a driver keeps for a process that uses a card: there, and in main memory. */
  public static final long DRIVER = 100 * MEGA;

  private static final long SOUND = 16 * MEGA;

  static Memory of(TranscodePlan plan) {
    VideoTrack video = plan.source().video();
    long picture = picture(video.width(), video.height(), video.pixelBits());
    int own = INTRA.contains(video.codec()) ? INTRA_PICTURES : DECODER_PICTURES;
    boolean filtered = plan.video().deinterlace() || !video.turn().filters().isEmpty();
    return new Memory(
        PROCESSES,
        plan.chunkPictures() * picture,
        DECODER + (own + (filtered ? FILTER_PICTURES : 0)) * picture,
        plan.rungs().stream().mapToLong(rung -> lane(plan, rung)).max().orElseThrow(),
        plan.rungs().stream().mapToLong(rung -> deviceLane(plan, rung)).max().orElseThrow(),
        plan.audio().isEmpty() ? 0 : SOUND);
  }

  /** The least with which lanes that take so much can work: a pump, a chunk and sound. */
  public long least(long lanes) {
    return processes + pump + chunk + sound + lanes;
  }

  private static long lane(TranscodePlan plan, Rung rung) {
    return encoder(plan, pixels(rung)) + scaler(plan, rung, SCALED_PICTURES);
  }

  private static long deviceLane(TranscodePlan plan, Rung rung) {
    int uploaded = uploaded(rung.width(), rung.height(), plan.video().depth());
    return DRIVER + scaler(plan, rung, SCALED_AHEAD + uploaded);
  }

  /**
   * How many pictures the encoder of another device may have been handed and not be done with. Many
   * bridge the time until a processor is free to hand it more; large ones take the device longer,
   * and more of its memory.
   */
  public static int uploaded(int width, int height, int depth) {
    long fit = UPLOADED_BYTES / picture(width, height, pixelBits(depth));
    return Math.clamp(fit, UPLOADED_LEAST, UPLOADED_MOST);
  }

  /** Of a pixel in 4:2:0. */
  private static int pixelBits(int depth) {
    return depth > 8 ? 24 : 12;
  }

  private static long scaler(TranscodePlan plan, Rung rung, int pictures) {
    VideoTrack video = plan.source().video();
    long linear =
        plan.video().tonemap()
            ? (long) LINEAR_PICTURES * LINEAR_BYTES * video.width() * video.height()
            : 0;
    return linear
        + pictures * picture(rung.width(), rung.height(), pixelBits(plan.video().depth()));
  }

  private static long encoder(TranscodePlan plan, long pixels) {
    if (plan.video().codec() != VideoCodec.AV1) {
      return PLAIN + PLAIN_PIXEL * pixels;
    }
    long bytes =
        plan.video().preset() < LIGHT_PRESET
            ? HEAVY + HEAVY_PIXEL * pixels
            : LIGHT + LIGHT_PIXEL * pixels;
    return plan.video().depth() > 8 ? (long) (DEEP * bytes) : bytes;
  }

  private static long pixels(Rung rung) {
    return (long) rung.width() * rung.height();
  }

  /** A picture as decoders allocate them. */
  private static long picture(int width, int height, int pixelBits) {
    return padded(width, ROW_BYTES) * (padded(height, ROWS) + 2) * pixelBits / 8;
  }

  private static long padded(int side, int unit) {
    return (side + unit - 1L) / unit * unit;
  }
}
