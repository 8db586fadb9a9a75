package dev.fairlead.media.av;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bytedeco.ffmpeg.global.avutil;

/**
 * Arranges pictures in 4:2:0 as GPUs have them, both kinds of chroma in one plane; no sample
 * changes. One thread at a time; goes on after it was closed.
 */
final class Interleaving implements AutoCloseable {
  private static final Map<String, String> ARRANGED =
      Map.of("yuv420p", "nv12", "yuv420p10le", "p010le");

  private final Map<Picture.Shape, Filter> filters = new HashMap<>();

  /** The picture so arranged, which the caller owns; the given one stays as it is. */
  Picture of(Picture picture) {
    String format = avutil.av_get_pix_fmt_name(picture.shape().format()).getString();
    if (!ARRANGED.containsKey(format)) {
      return picture.at(picture.pts());
    }
    Filter filter =
        filters.computeIfAbsent(
            picture.shape(), any -> Filter.video(picture, 1, 1, "format=" + ARRANGED.get(format)));
    List<Picture> made = new ArrayList<>(1);
    filter.filter(picture, made::add);
    return Objects.requireNonNull(made.getFirst());
  }

  @Override
  public void close() {
    filters.values().forEach(Filter::close);
    filters.clear();
  }
}
