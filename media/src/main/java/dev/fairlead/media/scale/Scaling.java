package dev.fairlead.media.scale;

import dev.fairlead.media.av.Filter;
import dev.fairlead.media.av.Picture;
import dev.fairlead.media.settings.HardwareAddress;
import dev.fairlead.media.settings.ScalingTarget;
import dev.fairlead.media.settings.VideoSettings;
import dev.fairlead.media.source.Rational;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.bytedeco.ffmpeg.global.avutil;
import org.jspecify.annotations.Nullable;

/**
 * Makes pictures of the size and format that a rung is encoded in, in limited range. Pictures that
 * are so already go through untouched; each is scaled from the shape that it has itself, for that
 * may change in the midst of a source. One thread at a time.
 */
public final class Scaling implements AutoCloseable {
  private static final String TONEMAP =
      "zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=tonemap=hable:desat=0,"
          + "zscale=t=bt709:m=bt709:r=tv,";

  private final ScalingTarget target;
  private final Rational timeBase;
  private final String pixelFormat;
  private final @Nullable CardScaling card;

  /** Filters of a card whose memory an encoder may still know. */
  private final List<Filter> ended = new ArrayList<>();

  private @Nullable Filter filter;
  private Picture.@Nullable Shape shape;
  private long pool;

  /** For an encoder that wants its pictures in that format. */
  public Scaling(ScalingTarget target, Rational timeBase, String pixelFormat) {
    this(target, timeBase, pixelFormat, null);
  }

  private Scaling(
      ScalingTarget target, Rational timeBase, String pixelFormat, @Nullable CardScaling card) {
    this.target = target;
    this.timeBase = timeBase;
    this.pixelFormat = pixelFormat;
    this.card = card;
  }

  /** Makes of pictures what an encoder wants, where it wants it; the caller closes it. */
  public static Scaling of(VideoSettings settings) {
    return settings.deviceFrames()
        ? on(settings.address(), settings.target(), settings.timeBase(), settings.pixelFormat())
        : new Scaling(settings.target(), settings.timeBase(), settings.pixelFormat());
  }

  /**
   * For an encoder that reads pictures of that format from the memory of a card. What the card
   * cannot scale comes out in the memory of the host; it is closed after the encoder.
   */
  public static Scaling on(
      HardwareAddress card, ScalingTarget target, Rational timeBase, String pixelFormat) {
    return new Scaling(target, timeBase, pixelFormat, new CardScaling(card, target, pixelFormat));
  }

  /** Scales a picture; the sink owns what it is given, the caller keeps what it gave. */
  public void scale(Picture picture, Consumer<Picture> sink) {
    if (card != null && card.takes(picture.shape())) {
      try (Picture there = card.bring(picture)) {
        scale(there, picture.shape(), card.chain(picture.width(), picture.height()), sink);
      }
      return;
    }
    Picture here = CardScaling.onHost(picture);
    if (fits(here.shape())) {
      change(here.shape(), 0, sink);
      sink.accept(here.at(here.pts()));
    } else {
      scale(here, here.shape(), chain(here), sink);
    }
  }

  private void scale(Picture picture, Picture.Shape its, String chain, Consumer<Picture> sink) {
    if (change(its, picture.pool(), sink)) {
      filter = Filter.video(picture, timeBase.num(), timeBase.den(), chain);
    }
    Objects.requireNonNull(filter).filter(picture, sink);
  }

  /**
   * Whether pictures have another shape, or are elsewhere, from now on; then the filter for the one
   * before ends.
   */
  private boolean change(Picture.Shape its, long memory, Consumer<Picture> sink) {
    if (its.equals(shape) && memory == pool) {
      return false;
    }
    finish(sink);
    if (filter != null && card != null) {
      ended.add(filter);
    } else if (filter != null) {
      filter.close();
    }
    filter = null;
    shape = its;
    pool = memory;
    return true;
  }

  /** Gives out what the filter still holds. */
  public void finish(Consumer<Picture> sink) {
    if (filter != null) {
      filter.filter(null, sink);
    }
  }

  private boolean fits(Picture.Shape its) {
    return !target.tonemap()
        && !its.isFullRange()
        && its.width() == target.width()
        && its.height() == target.height()
        && its.format() == avutil.av_get_pix_fmt(pixelFormat);
  }

  private String chain(Picture picture) {
    return "%sscale=%d:%d:flags=bicubic:out_range=tv%s,setsar=1,format=%s"
        .formatted(
            target.tonemap() ? tonemap(picture) : "",
            target.width(),
            target.height(),
            picture.shape().isRgb() ? ":out_color_matrix=bt709" : "",
            pixelFormat);
  }

  /** What a picture does not say of its colours is taken to be as in BT.2020. */
  private static String tonemap(Picture picture) {
    boolean primaries = picture.frame().color_primaries() == avutil.AVCOL_PRI_UNSPECIFIED;
    boolean matrix = picture.frame().colorspace() == avutil.AVCOL_SPC_UNSPECIFIED;
    return (primaries ? "setparams=color_primaries=bt2020," : "")
        + (matrix ? "setparams=colorspace=bt2020nc," : "")
        + TONEMAP;
  }

  @Override
  public void close() {
    if (filter != null) {
      filter.close();
    }
    ended.forEach(Filter::close);
  }
}
