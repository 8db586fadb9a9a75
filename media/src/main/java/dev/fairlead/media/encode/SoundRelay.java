package dev.fairlead.media.encode;

import dev.fairlead.media.av.Encoded;
import dev.fairlead.media.av.Encoder;
import dev.fairlead.media.av.Picture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the sound of a track by one encoder after another, each for one piece of it, so that a
 * track can be taken up at any piece and comes out the same.
 *
 * <p>Encoders of sound carry state. So each one is fed {@value #LEAD_FRAMES} frames more before its
 * piece begins, and is settled by then; both run for a moment, and of each packet time one of the
 * two is kept. Packets come earlier than what they hold by the encoder's padding.
 */
final class SoundRelay implements AutoCloseable {
  private static final int LEAD_FRAMES = 16;

  private final Supplier<Encoder> encoders;
  private final Consumer<Encoded> sink;
  private @Nullable Runner current;
  private @Nullable Runner next;
  private long piece;
  private long pieceTicks;
  private long leadTicks;

  /** An encoder and the times of the packets that are taken from it. */
  private record Runner(Encoder encoder, long from, long to) {}

  /**
   * A relay that has not begun.
   *
   * @param first the first piece that is wanted
   */
  SoundRelay(Supplier<Encoder> encoders, long first, Consumer<Encoded> sink) {
    this.encoders = encoders;
    this.piece = first;
    this.sink = sink;
  }

  /** Says how long pieces are, and frames, before the first frame. */
  void begin(long ticks, int frame) {
    pieceTicks = ticks;
    leadTicks = (long) LEAD_FRAMES * frame;
  }

  /** Encodes a frame, whose time is the number of samples before it. */
  void add(Picture frame) {
    if (current == null) {
      if (frame.pts() < piece * pieceTicks - leadTicks) {
        return;
      }
      current = open(piece);
    }
    if (next == null && frame.pts() >= (piece + 1) * pieceTicks - leadTicks) {
      next = open(piece + 1);
    }
    boolean over = encode(current, frame);
    if (next != null) {
      Runner after = next;
      if (over) {
        current.encoder().close();
        current = after;
        next = null;
        piece++;
      }
      encode(after, frame);
    }
  }

  private Runner open(long its) {
    Encoder encoder = encoders.get();
    int padding = encoder.context().initial_padding();
    return new Runner(
        encoder,
        its == 0 ? Long.MIN_VALUE : its * pieceTicks - padding,
        (its + 1) * pieceTicks - padding);
  }

  /** Whether a packet came that is the next one's. */
  private boolean encode(Runner runner, @Nullable Picture frame) {
    boolean[] over = new boolean[1];
    runner
        .encoder()
        .encode(
            frame,
            packet -> {
              if (packet.pts() >= runner.to()) {
                over[0] = true;
              } else if (packet.pts() >= runner.from()) {
                sink.accept(packet);
              }
            });
    return over[0];
  }

  /** No frame comes any more; answers an encoder, whose header is that of the track. */
  Encoder finish() {
    if (current == null) {
      current = open(piece);
    } else {
      encode(current, null);
      if (next != null) {
        encode(next, null);
      }
    }
    return current.encoder();
  }

  @Override
  public void close() {
    if (current != null) {
      current.encoder().close();
    }
    if (next != null) {
      next.encoder().close();
    }
  }
}
