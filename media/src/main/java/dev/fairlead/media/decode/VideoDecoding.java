package dev.fairlead.media.decode;

import dev.fairlead.media.av.AvException;
import dev.fairlead.media.av.Decoder;
import dev.fairlead.media.av.Filter;
import dev.fairlead.media.av.Picture;
import dev.fairlead.media.av.Source;
import dev.fairlead.media.plan.Timeline;
import dev.fairlead.media.settings.HardwareAddress;
import dev.fairlead.media.settings.VideoOrder;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avformat.AVStream;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avutil;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the video of a source, in the order in which it is shown. What comes before the wanted
 * part, because decoding can begin at keyframes only, is dropped and counted apart.
 *
 * <p>The pictures are the same wherever decoding began. A file may lead to a keyframe that is shown
 * too late, or to no keyframe at all. So packets before the first keyframe are skipped, and unless
 * that keyframe is shown, at or before the first wanted time, decoding begins again from further
 * back, in the end from the start of the file. Pictures that are shown before the keyframe, yet
 * stored after it, lack what they refer to, and are dropped with the rest. Where fields are filled
 * in, decoding begins a picture earlier, for that looks at the picture before.
 *
 * <p>A picture whose time is far ahead of the one before waits for the one after it: where that
 * comes back, the time was a lie.
 */
public final class VideoDecoding {
  private static final String IN_SOFTWARE = "The job decodes in software: ";

  /** How far back the second try goes, in frames; each later one goes twice as far. */
  private static final long BACK_FRAMES = 64;

  /** A picture that is later than the one before by more than this may lie. */
  private static final int FAR_SECONDS = 10;

  /** What may be missing at the end of a source that is whole. */
  private static final double SHORT_SECONDS = 1;

  /** Where pictures go. */
  public interface Sink {
    /** Takes over a picture. */
    void accept(Picture picture);

    /**
     * A picture has come that is not wanted.
     *
     * @param to the first timestamp that is not wanted
     * @return a later one than that, to go on
     */
    long end(long pts, long to);

    /** Something that people should know of. */
    void notice(String what);

    /** Something of the source is not there. */
    void missing(String what);

    /** Whether the decoder is to give back memory that it keeps for later; asked often. */
    default boolean trims() {
      return false;
    }

    /** A picture had no time, or not a later one than the picture before it, and was given one. */
    void repaired();
  }

  /**
   * How much was decoded.
   *
   * @param concealed pictures that the decoder had to make up in part
   * @param next when the first picture is shown that was not wanted; empty if there is none
   */
  public record Tally(
      long frames, long leadIn, long damagedPackets, long concealed, OptionalLong next) {}

  private final VideoOrder order;
  private final Sink sink;
  private final BooleanSupplier stop;
  private boolean onDevice;
  private @Nullable Filter filter;
  private Picture.@Nullable Shape shape;
  private long start;
  private long to;
  private long last;
  private long end = Long.MIN_VALUE;
  private long frames;
  private long leadIn;
  private long damaged;
  private long concealed;
  private boolean beyond;

  /** A picture that is far ahead of the one before. */
  private @Nullable Picture held;

  /** When the keyframe is shown at which decoding began; the smallest if it is the file's start. */
  private long entry;

  /** Whether decoding began at the file's start. */
  private boolean atStart;

  private boolean entered;
  private boolean proven;
  private boolean late;

  private VideoDecoding(VideoOrder order, Sink sink, BooleanSupplier stop) {
    this.order = order;
    this.sink = sink;
    this.stop = stop;
    this.to = order.to();
  }

  /**
   * Decodes until the end of what is wanted.
   *
   * @throws HardwareFailed if the wanted device fails later on
   */
  public static Tally run(VideoOrder order, Sink sink, BooleanSupplier stop) {
    VideoDecoding pump = new VideoDecoding(order, sink, stop);
    try {
      return pump.run();
    } catch (AvException failure) {
      throw pump.onDevice ? new HardwareFailed(order.hardware().orElseThrow(), failure) : failure;
    }
  }

  private Decoder open(AVStream stream) {
    if (order.hardware().isPresent()) {
      HardwareAddress wanted = order.hardware().get();
      try {
        Decoder decoder = Decoder.open(stream, wanted.api(), wanted.device(), order.stays());
        onDevice = true;
        return decoder;
      } catch (AvException failure) {
        sink.notice(IN_SOFTWARE + failure.getMessage());
      }
    }
    return Decoder.open(stream, order.threads());
  }

  private Tally run() {
    try {
      long back = 0;
      while (!decodeFrom(back)) {
        back = back == 0 ? BACK_FRAMES * order.usualDuration() : back * 2;
      }
      if (!stop.getAsBoolean()) {
        drain();
      }
      return new Tally(
          frames,
          leadIn,
          damaged,
          concealed,
          beyond ? OptionalLong.of(last) : OptionalLong.empty());
    } finally {
      drop();
      if (filter != null) {
        filter.close();
      }
    }
  }

  private void drop() {
    if (held != null) {
      held.close();
      held = null;
    }
  }

  /** Decodes all that is wanted; false if that needs to begin further back. */
  private boolean decodeFrom(long back) {
    AVPacket packet = avcodec.av_packet_alloc();
    try (Source source = Source.open(order.path());
        Decoder decoder = open(source.stream(order.stream()))) {
      source.only(List.of(order.stream()));
      start = startOf(source);
      long from = order.latestEntry() - back;
      boolean sought = from > start && source.seek(order.stream(), from);
      atStart = !sought;
      entered = !sought;
      proven = !sought;
      late = false;
      last = Long.MIN_VALUE;
      entry = Long.MIN_VALUE;
      drop();
      while (!stop.getAsBoolean() && !beyond && !late && source.read(packet)) {
        if (packet.stream_index() == order.stream() && enters(packet)) {
          decode(decoder, packet);
        }
        avcodec.av_packet_unref(packet);
        if (sink.trims()) {
          decoder.trim();
        }
      }
      if (!stop.getAsBoolean() && !beyond && !late) {
        decoder.decode(null, this::decoded);
        release(Long.MAX_VALUE);
        checkEnd(source);
      }
      if (source.seams() > 0) {
        sink.notice(
            "The times of the source begin again %d times; every track goes on where it was"
                .formatted(source.seams()));
      }
      return proven || stop.getAsBoolean();
    } finally {
      avcodec.av_packet_free(packet);
    }
  }

  /** Whether the source has come as far as it said. */
  private void checkEnd(Source source) {
    double tick = order.timeBase().value();
    OptionalLong promised = source.duration(order.stream());
    if (promised.isEmpty() || source.seams() > 0 || end == Long.MIN_VALUE || beyond) {
      return;
    }
    long ends = start + promised.getAsLong();
    double missing = (Math.min(ends, to) - end) * tick;
    if (missing > Math.max(SHORT_SECONDS, 2 * order.usualDuration() * tick)) {
      sink.missing(
          String.format(
              Locale.ROOT,
              "The source ends early: its pictures last %.3f s, not %.3f s as it says",
              (end - start) * tick,
              (ends - start) * tick));
    }
  }

  private long startOf(Source source) {
    long its = source.stream(order.stream()).start_time();
    return its == avutil.AV_NOPTS_VALUE ? 0 : its;
  }

  /** Whether a packet can be decoded: the first is a keyframe that is early enough. */
  private boolean enters(AVPacket packet) {
    if (!entered && (packet.flags() & avcodec.AV_PKT_FLAG_KEY) != 0) {
      entry = packet.pts();
      late = entry == avutil.AV_NOPTS_VALUE || entry > order.latestEntry();
      entered = !late;
    }
    return entered;
  }

  private void decode(Decoder decoder, AVPacket packet) {
    long pts = packet.pts();
    // Those of the lead-in, or beyond the end, are counted by another decoder.
    boolean counts = pts == avutil.AV_NOPTS_VALUE || (pts >= order.from() && pts < to);
    if (!decoder.decode(packet, this::decoded) && counts) {
      damaged++;
    }
  }

  private void decoded(Picture picture) {
    if (late || beyond || !isProven(picture)) {
      picture.close();
      return;
    }
    release(picture.pts());
    if (beyond) {
      picture.close();
    } else if (isFar(picture.pts())) {
      held = picture;
    } else {
      show(picture);
    }
  }

  private boolean isFar(long pts) {
    return pts != avutil.AV_NOPTS_VALUE
        && last != Long.MIN_VALUE
        && ((double) pts - last) * order.timeBase().value() > FAR_SECONDS;
  }

  /** Shows the picture that waits, at its time unless the one after it is shown before. */
  private void release(long after) {
    Picture picture = held;
    if (picture != null) {
      held = null;
      boolean lies = after != avutil.AV_NOPTS_VALUE && after < picture.pts();
      show(lies ? moved(picture, avutil.AV_NOPTS_VALUE) : picture);
    }
  }

  private void show(Picture picture) {
    Picture timed = timed(picture);
    last = timed.pts();
    if (last >= to) {
      to = sink.end(last, to);
    }
    if (last >= to) {
      beyond = true;
      timed.close();
      return;
    }
    boolean early = last < order.from();
    if (early) {
      leadIn++;
    } else {
      frames++;
      concealed += timed.isConcealed() ? 1 : 0;
      end = last + (timed.duration() > 0 ? timed.duration() : order.usualDuration());
    }
    if (early && !order.deinterlace()) {
      timed.close();
    } else {
      prepare(timed);
    }
  }

  /** Whether the keyframe was shown; what comes before it lacks what it refers to. */
  private boolean isProven(Picture picture) {
    if (!proven) {
      long pts = picture.pts();
      proven = pts >= entry && pts <= order.latestEntry() && pts != avutil.AV_NOPTS_VALUE;
      late = pts > order.latestEntry();
      leadIn += proven ? 0 : 1;
    }
    return proven;
  }

  /** Every picture has a time, and a later one than the picture before it. */
  private Picture timed(Picture picture) {
    long pts = picture.pts();
    boolean first = last == Long.MIN_VALUE;
    if (pts == avutil.AV_NOPTS_VALUE) {
      pts = first ? start : last + order.usualDuration();
    }
    if (!first && pts <= last) {
      pts = last + Timeline.step(order.timeBase());
    }
    if (first && atStart && pts > order.begin()) {
      return moved(picture, order.begin());
    }
    if (pts == picture.pts()) {
      return picture;
    }
    sink.repaired();
    return moved(picture, pts);
  }

  private static Picture moved(Picture picture, long pts) {
    try (picture) {
      return picture.at(pts);
    }
  }

  /** Gives out what the filter still holds, and ends it. */
  private void drain() {
    if (filter != null) {
      filter.filter(null, this::prepared);
      filter.close();
      filter = null;
    }
  }

  /** Filters see the pictures of the lead-in too, so that where that began does not show. */
  private void prepared(Picture picture) {
    if (picture.pts() < order.from()) {
      picture.close();
    } else {
      sink.accept(picture);
    }
  }

  private void prepare(Picture picture) {
    if (order.filters().isEmpty()) {
      sink.accept(picture);
      return;
    }
    try (picture) {
      if (filter == null || !picture.shape().equals(shape)) {
        drain();
        shape = picture.shape();
        filter =
            Filter.video(picture, order.timeBase().num(), order.timeBase().den(), order.filters());
      }
      filter.filter(picture, this::prepared);
    } catch (AvException failure) {
      throw new AvException("preparing the picture at %d: %s".formatted(last, failure));
    }
  }
}
