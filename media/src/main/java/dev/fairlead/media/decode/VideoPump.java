package dev.fairlead.media.decode;

import dev.fairlead.media.av.AvException;
import dev.fairlead.media.av.Decoder;
import dev.fairlead.media.av.Filter;
import dev.fairlead.media.av.Picture;
import dev.fairlead.media.av.Source;
import dev.fairlead.media.plan.HardwareAddress;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avformat.AVStream;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avutil;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the video of a source, in the order in which it is shown. What comes before the wanted
 * part, because decoding can begin at keyframes only, is dropped and counted apart.
 */
public final class VideoPump {
  /** How much was decoded. */
  public record Tally(long frames, long leadIn, long damagedPackets) {}

  private final VideoOrder order;
  private final Consumer<Picture> sink;
  private final BooleanSupplier stop;
  private boolean onDevice;
  private @Nullable Filter filter;
  private long last = Long.MIN_VALUE;
  private long frames;
  private long leadIn;
  private long damaged;
  private boolean beyond;

  private VideoPump(VideoOrder order, Consumer<Picture> sink, BooleanSupplier stop) {
    this.order = order;
    this.sink = sink;
    this.stop = stop;
  }

  /**
   * Decodes until the end of what is wanted; the sink owns the pictures that it is given.
   *
   * @param inSoftware told why, if the wanted device cannot be used
   * @throws HardwareFailed if the device fails later on
   */
  public static Tally run(
      VideoOrder order, Consumer<Picture> sink, BooleanSupplier stop, Consumer<String> inSoftware) {
    VideoPump pump = new VideoPump(order, sink, stop);
    try {
      return pump.run(inSoftware);
    } catch (AvException failure) {
      throw pump.onDevice ? new HardwareFailed(failure) : failure;
    }
  }

  private Decoder open(AVStream stream, Consumer<String> inSoftware) {
    if (order.hardware().isPresent()) {
      HardwareAddress wanted = order.hardware().get();
      try {
        Decoder decoder = Decoder.open(stream, wanted.api(), wanted.device());
        onDevice = true;
        return decoder;
      } catch (AvException failure) {
        inSoftware.accept(HardwareFailed.inSoftware(failure));
      }
    }
    return Decoder.open(stream, order.threads());
  }

  private Tally run(Consumer<String> inSoftware) {
    AVPacket packet = avcodec.av_packet_alloc();
    try (Source source = Source.open(order.path());
        Decoder decoder = open(source.stream(order.stream()), inSoftware)) {
      source.only(List.of(order.stream()));
      if (order.from() > startOf(source)) {
        source.seek(order.stream(), order.from());
      }
      while (!stop.getAsBoolean() && !beyond && source.read(packet)) {
        if (packet.stream_index() == order.stream() && !decoder.decode(packet, this::decoded)) {
          damaged++;
        }
        avcodec.av_packet_unref(packet);
      }
      if (!stop.getAsBoolean() && !beyond) {
        decoder.decode(null, this::decoded);
      }
      if (filter != null && !stop.getAsBoolean()) {
        filter.filter(null, this::hand);
      }
      return new Tally(frames, leadIn, damaged);
    } finally {
      avcodec.av_packet_free(packet);
      if (filter != null) {
        filter.close();
      }
    }
  }

  private long startOf(Source source) {
    long start = source.stream(order.stream()).start_time();
    return start == avutil.AV_NOPTS_VALUE ? 0 : start;
  }

  private void decoded(Picture picture) {
    Picture timed = timed(picture);
    last = timed.pts();
    if (beyond || timed.pts() >= order.to()) {
      beyond = true;
      timed.close();
    } else if (timed.pts() < order.from()) {
      leadIn++;
      timed.close();
    } else {
      frames++;
      prepare(timed);
    }
  }

  /** Every picture has a time, and a later one than the picture before it. */
  private Picture timed(Picture picture) {
    long pts = picture.pts();
    boolean first = last == Long.MIN_VALUE;
    if (pts == avutil.AV_NOPTS_VALUE) {
      pts = first ? order.from() : last + order.usualDuration();
    }
    if (!first && pts <= last) {
      pts = last + 1;
    }
    if (pts == picture.pts()) {
      return picture;
    }
    try (picture) {
      return picture.at(pts);
    }
  }

  private void prepare(Picture picture) {
    if (order.filters().isEmpty()) {
      sink.accept(picture);
      return;
    }
    try (picture) {
      if (filter == null) {
        filter =
            Filter.video(picture, order.timeBase().num(), order.timeBase().den(), order.filters());
      }
      filter.filter(picture, this::hand);
    } catch (AvException failure) {
      throw new AvException("preparing the picture at %d: %s".formatted(last, failure));
    }
  }

  private void hand(Picture picture) {
    sink.accept(picture);
  }
}
