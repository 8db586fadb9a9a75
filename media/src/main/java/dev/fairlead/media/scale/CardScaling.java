package dev.fairlead.media.scale;

import dev.fairlead.media.av.AvException;
import dev.fairlead.media.av.Hardware;
import dev.fairlead.media.av.Picture;
import dev.fairlead.media.decode.HardwareFailed;
import dev.fairlead.media.settings.HardwareAddress;
import dev.fairlead.media.settings.ScalingTarget;
import java.util.List;
import org.bytedeco.ffmpeg.global.avutil;

/**
 * Scaling in the memory of a card: pictures that are not there are copied once for all rungs, and
 * the encoder reads what comes of them where it is.
 *
 * <p>A card changes sizes and the order of samples, and nothing else: {@code scale_cuda} keeps
 * range and colours, and {@code scale_vaapi} is not asked to change them. What needs more is scaled
 * by the processor; so are pictures of an odd height, of whose chroma FFmpeg copies a row too few
 * to cards of CUDA.
 *
 * <p>FFmpeg's bicubic kernel looks at four samples each way, however much smaller a picture
 * becomes; its bilinear one at as many as three steps cover. So pictures are scaled bilinearly, and
 * those that become more than three times smaller are halved before. How drivers of VAAPI scale is
 * their own choice: the simplest mix two samples each way, so no step there is more than a half.
 *
 * @param pixelFormat of the pictures that the encoder reads
 */
record CardScaling(HardwareAddress card, ScalingTarget target, String pixelFormat) {
  private static final int MOST_BY_CUDA = 3;
  private static final int MOST_BY_VAAPI = 2;

  /** Whether the card can make of such pictures what the rung wants. */
  boolean takes(Picture.Shape shape) {
    return !target.tonemap()
        && !shape.isFullRange()
        && shape.height() % 2 == 0
        && formats().stream().anyMatch(each -> avutil.av_get_pix_fmt(each) == shape.format());
  }

  private List<String> formats() {
    return target.depth() > 8 ? List.of("yuv420p10le", "p010le") : List.of("yuv420p", "nv12");
  }

  /** The picture in the card's memory, which the caller owns; the given one stays where it is. */
  Picture bring(Picture picture) {
    boolean there = Hardware.holds(card.api(), card.device(), picture);
    return Hardware.upload(card.api(), card.device(), there ? picture : onHost(picture));
  }

  /**
   * The picture in the memory of the host, as long as the given one is open.
   *
   * @throws HardwareFailed if the card that has decoded it does not give it out: neither that which
   *     is to scale it is to blame, nor that which is to encode it
   */
  static Picture onHost(Picture picture) {
    try {
      return picture.onHost();
    } catch (AvException failure) {
      throw picture
          .home()
          .<RuntimeException>map(
              home -> new HardwareFailed(new HardwareAddress(home.api(), home.device()), failure))
          .orElse(failure);
    }
  }

  /** Filters that make what the rung wants of pictures of a size. */
  String chain(int width, int height) {
    StringBuilder chain = new StringBuilder();
    int columns = width;
    int rows = height;
    int most = isOfCuda() ? MOST_BY_CUDA : MOST_BY_VAAPI;
    while (columns > most * target.width() || rows > most * target.height()) {
      columns = Math.max(target.width(), half(columns));
      rows = Math.max(target.height(), half(rows));
      chain.append(step(columns, rows)).append(',');
    }
    return chain.append(step(target.width(), target.height())).append(",setsar=1").toString();
  }

  private static int half(int side) {
    int half = side / 2;
    return half + half % 2; // chroma has half of it again
  }

  private String step(int width, int height) {
    String filter =
        isOfCuda()
            ? "scale_cuda=w=%d:h=%d:format=%s:interp_algo=bilinear:passthrough=0"
            : "scale_vaapi=w=%d:h=%d:format=%s:mode=hq";
    return filter.formatted(width, height, pixelFormat);
  }

  private boolean isOfCuda() {
    return card.api().equals(HardwareAddress.CUDA);
  }
}
