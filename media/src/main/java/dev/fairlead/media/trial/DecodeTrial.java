package dev.fairlead.media.trial;

import dev.fairlead.media.av.Decoder;
import dev.fairlead.media.av.Picture;
import dev.fairlead.media.av.Source;
import dev.fairlead.media.scale.Scaling;
import dev.fairlead.media.settings.HardwareAddress;
import dev.fairlead.media.settings.ScalingTarget;
import dev.fairlead.media.source.Rational;
import dev.fairlead.media.wire.TrialResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avformat.AVStream;
import org.bytedeco.ffmpeg.global.avcodec;
import org.jspecify.annotations.Nullable;

/** Decodes a part of a file, on a device or in software, to checksums of its pictures. */
public final class DecodeTrial {
  private DecodeTrial() {}

  /**
   * Runs it.
   *
   * @param on where; empty for the processor
   * @param from seconds to jump to first; zero to begin at the start
   * @param most pictures after which it ends
   */
  public static TrialResult.Decoding run(
      Path path, Optional<HardwareAddress> on, double from, int most, BooleanSupplier stop) {
    try (Source source = Source.open(path)) {
      source.only(List.of(0));
      AVStream stream = source.stream(0);
      Rational base = new Rational(stream.time_base().num(), stream.time_base().den());
      try (Decoder decoder =
              on.isPresent()
                  ? Decoder.open(stream, on.get().api(), on.get().device(), false)
                  : Decoder.open(stream, 1);
          Pictures pictures = new Pictures(base, most)) {
        if (from > 0) {
          boolean _ = source.seek(0, Math.round(from / base.value()));
        }
        decode(source, decoder, pictures, stop);
        return pictures.seen();
      }
    }
  }

  private static void decode(
      Source source, Decoder decoder, Pictures pictures, BooleanSupplier stop) {
    AVPacket packet = avcodec.av_packet_alloc();
    try {
      while (!pictures.isFull() && source.read(packet)) {
        if (stop.getAsBoolean()) {
          throw new CancellationException("The trial is not wanted any more");
        }
        pictures.time(() -> {
          boolean _ = decoder.decode(packet, pictures::see);
        });
        avcodec.av_packet_unref(packet);
      }
      pictures.time(() -> {
        boolean _ = decoder.decode(null, pictures::see);
      });
    } finally {
      avcodec.av_packet_free(packet);
    }
  }

  /** What has come out of a decoder, in one format whatever the decoder's own is. */
  private static final class Pictures implements AutoCloseable {
    private final Rational base;
    private final int most;
    private final List<TrialResult.Sum> sums = new ArrayList<>();
    private @Nullable Scaling scaling;
    private long nanos;

    Pictures(Rational base, int most) {
      this.base = base;
      this.most = most;
    }

    boolean isFull() {
      return sums.size() >= most;
    }

    void time(Runnable decoding) {
      long begun = System.nanoTime();
      decoding.run();
      nanos += System.nanoTime() - begun;
    }

    void see(Picture picture) {
      long begun = System.nanoTime();
      try (picture) {
        if (scaling == null) {
          ScalingTarget same = new ScalingTarget(picture.width(), picture.height(), 8, false);
          scaling = new Scaling(same, base, same.pixelFormat());
        }
        scaling.scale(picture, this::sum);
      }
      nanos -= System.nanoTime() - begun;
    }

    private void sum(Picture picture) {
      try (picture) {
        if (!isFull()) {
          sums.add(new TrialResult.Sum(picture.pts(), Likeness.checksum(picture)));
        }
      }
    }

    TrialResult.Decoding seen() {
      return new TrialResult.Decoding(sums, nanos / 1e6 / Math.max(1, sums.size()));
    }

    @Override
    public void close() {
      if (scaling != null) {
        scaling.close();
      }
    }
  }
}
