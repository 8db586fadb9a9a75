package dev.fairlead.media.wire;

import dev.fairlead.media.plan.ChunkGrid;
import dev.fairlead.media.plan.Pumps;
import dev.fairlead.media.plan.Timeline;
import dev.fairlead.media.settings.AudioSettings;
import dev.fairlead.media.settings.BudgetSize;
import dev.fairlead.media.settings.CardDecoder;
import dev.fairlead.media.settings.HardwareAddress;
import dev.fairlead.media.settings.VideoOrder;
import dev.fairlead.media.settings.VideoSettings;
import dev.fairlead.media.source.Rational;
import dev.fairlead.media.store.UnitId;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a parent sends its worker. Each command with a number is answered once. */
public sealed interface Command {
  record InspectSource(long number, Path path) implements Command {}

  /**
   * Decodes, and reports each chunk when it begins.
   *
   * @param order says of no card
   * @param cards those that decode, every pump on one of them; the processor if there is none
   * @param pictures how many a chunk has, about
   * @param finished chunks that are not needed any more
   * @param rungs how many units a chunk makes; while none of them is left, decoding does not wait
   * @param done units of other chunks that are not needed any more
   * @param chunks how many there are, about; zero if that is not known, or if one pump decodes all
   * @param share the number of what it may use: {@code room} and {@code pumps}
   * @param whole whether each chunk is decoded to its end, though no unit of it is read yet
   */
  record Decode(
      VideoOrder order,
      List<CardDecoder> cards,
      ChunkGrid grid,
      Timeline timeline,
      Optional<Rational> maxFps,
      int pictures,
      Set<Long> finished,
      BudgetSize room,
      int rungs,
      Set<UnitId> done,
      Pumps pumps,
      long share,
      long chunks,
      boolean whole)
      implements Command {}

  /** Encodes a chunk that was reported, into a file. */
  record Encode(long number, UnitId unit, VideoSettings settings, Path file, Chaos chaos)
      implements Command {}

  /** Encodes a few blank pictures: whether a device can, and what it would promise. */
  record TestEncode(long number, VideoSettings settings) implements Command {}

  /** Encodes so many pictures and compares what they become. */
  record TryEncoder(long number, VideoSettings settings, int pictures) implements Command {}

  /** Scales so many pictures of a size on a card and on the processor, and compares them. */
  record TryFrames(long number, VideoSettings settings, int width, int height, int pictures)
      implements Command {}

  /** Opens encoders until one is refused, and has each encode so many pictures. */
  record TrySessions(long number, List<VideoSettings> each, int pictures) implements Command {}

  /** Decodes so many pictures of a file, from a second on. */
  record TryDecoder(long number, Path path, Optional<HardwareAddress> on, double from, int pictures)
      implements Command {}

  /** Decodes the chunks of several encoders one after another. */
  record TryJoin(long number, List<VideoSettings> each) implements Command {}

  /**
   * Makes an audio track, in pieces, and reports each.
   *
   * @param first the first piece that is wanted
   * @param directory where their files go
   */
  record EncodeAudio(long number, UnitId first, AudioSettings settings, Path directory, Chaos chaos)
      implements Command {}

  /** Reads the text of a subtitle track between two times of the source, in seconds. */
  record ReadSubtitles(long number, Path path, int stream, double from, double to)
      implements Command {}

  /** Makes the tracks of a clip with moving texture and a tone, as files in a directory. */
  record MakeClip(long number, Path directory, int seconds, int width, int height)
      implements Command {}

  /** What has that number is not wanted any more. */
  record Cancel(long number) implements Command {}

  /**
   * Changes what decoding may use. What is more goes as chunks are released and spans end; no more
   * is begun until then.
   *
   * @param share its number, which is reported when no more than that is used
   * @param pumps how many may decode at once
   * @param whole as in {@link Decode}
   */
  record Resize(long share, BudgetSize room, int pumps, boolean whole) implements Command {}

  /** No rung needs the chunk any more. */
  record Release(long chunk) implements Command {}
}
