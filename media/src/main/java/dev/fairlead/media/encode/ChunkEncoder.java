package dev.fairlead.media.encode;

import dev.fairlead.media.av.AvException;
import dev.fairlead.media.av.Encoded;
import dev.fairlead.media.av.Encoder;
import dev.fairlead.media.av.Hardware;
import dev.fairlead.media.av.Picture;
import dev.fairlead.media.chunk.Chunk;
import dev.fairlead.media.plan.Memory;
import dev.fairlead.media.scale.ScaledPictures;
import dev.fairlead.media.scale.Scaling;
import dev.fairlead.media.settings.HardwareAddress;
import dev.fairlead.media.settings.VideoSettings;
import dev.fairlead.media.source.Rational;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avutil;

/**
 * Scales and encodes the pictures of one chunk for one rung, with an encoder of its own: the first
 * picture is a key, nothing refers to another chunk.
 */
public final class ChunkEncoder {
  private static final int NO_FURTHER_KEYS = 100_000;

  private ChunkEncoder() {}

  /** Encodes a chunk; throws {@link CancellationException} when it is to stop. */
  public static EncodedChunk encode(Chunk chunk, VideoSettings settings, BooleanSupplier stop)
      throws InterruptedException {
    try {
      return encodeOn(chunk, settings, stop);
    } catch (AvException failure) {
      if (!failure.isBusy()) {
        settings.kind().api().ifPresent(api -> Hardware.forget(api, settings.device()));
      }
      throw failure;
    }
  }

  private static EncodedChunk encodeOn(Chunk chunk, VideoSettings settings, BooleanSupplier stop)
      throws InterruptedException {
    List<Encoded> packets = new ArrayList<>();
    // Scaling for another device begins before its encoder is open, which may take long.
    try (EncoderTurn _ = EncoderTurn.take(settings.kind(), () -> goOn(chunk, stop));
        ScaledPictures pictures = scaled(chunk, settings);
        Encoder encoder = open(settings)) {
      Picture picture = pictures.next();
      while (picture != null) {
        encode(encoder, picture, packets, () -> goOn(chunk, stop));
        picture = pictures.next();
      }
      // Most of the work may be left by now.
      encoder.encode(
          null,
          packet -> {
            goOn(chunk, stop);
            packets.add(packet);
          });
      return new EncodedChunk(encoder.header(), List.copyOf(packets), pictures.waitedNanos());
    }
  }

  private static ScaledPictures scaled(Chunk chunk, VideoSettings settings) {
    Scaling scaling = Scaling.of(settings);
    return settings.kind().runsOnProcessor()
        ? ScaledPictures.whenAsked(chunk, scaling)
        : ScaledPictures.ahead(chunk, scaling, Memory.SCALED_AHEAD);
  }

  /** Opens an encoder with these settings, on their device; the caller closes it. */
  public static Encoder open(VideoSettings settings) {
    return Encoder.open(
        settings.kind().encoder(),
        context -> describe(context, settings),
        settings.kind().options(settings));
  }

  private static void goOn(Chunk chunk, BooleanSupplier stop) {
    if (stop.getAsBoolean()) {
      throw new CancellationException("Chunk " + chunk.index() + " is not wanted any more");
    }
  }

  private static void encode(
      Encoder encoder, Picture scaled, List<Encoded> packets, Runnable goOn) {
    try (scaled) {
      goOn.run();
      encoder.encode(scaled, packets::add);
    }
  }

  private static void describe(AVCodecContext context, VideoSettings settings) {
    context.width(settings.target().width());
    context.height(settings.target().height());
    context.pix_fmt(avutil.av_get_pix_fmt(settings.pixelFormat()));
    context.time_base().num(settings.timeBase().num()).den(settings.timeBase().den());
    Rational rate = settings.toldRate();
    if (rate.num() > 0) {
      context.framerate().num(rate.num()).den(rate.den());
    }
    context.sample_aspect_ratio().num(1).den(1);
    context.color_primaries(settings.colour().primaries());
    context.color_trc(settings.colour().transfer());
    context.colorspace(settings.colour().matrix());
    context.color_range(
        settings.colour().fullRange() ? avutil.AVCOL_RANGE_JPEG : avutil.AVCOL_RANGE_MPEG);
    context.gop_size(NO_FURTHER_KEYS);
    context.thread_count(1);
    context.max_b_frames(0);
    context.flags(context.flags() | avcodec.AV_CODEC_FLAG_CLOSED_GOP);
    context.bit_rate(settings.kind().bitRate(settings));
    if (settings.maxrate() > 0) {
      context.rc_max_rate(settings.toldMaxrate());
      context.rc_buffer_size(
          (int) Math.min(Integer.MAX_VALUE, RateLimit.WINDOW_SECONDS * settings.toldMaxrate()));
    }
    if (settings.kind().isVaapi() || settings.deviceFrames()) {
      HardwareAddress its = settings.address();
      Hardware.bindFrames(context, its.api(), its.device(), settings.pixelFormat());
    } else if (settings.kind().isNvenc()) {
      Hardware.bindCuda(context, settings.device());
    }
  }
}
