package dev.fairlead.media.wire;

import dev.fairlead.media.settings.HardwareAddress;
import dev.fairlead.media.source.MediaInfo;
import dev.fairlead.media.store.ChunkFile;
import dev.fairlead.media.store.UnitId;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What a worker sends its parent. */
public sealed interface Report {
  /** The answer to the command of that number. */
  sealed interface Answer extends Report {
    long number();
  }

  record Inspected(long number, MediaInfo info, String codecs) implements Answer {}

  /**
   * A chunk is encoded and on disk.
   *
   * @param header what the encoder says ahead of the stream
   * @param first the first sample, with the in-band header
   * @param workedNanos how long it took, without the time in which it waited for pictures
   */
  @SuppressWarnings("ArrayRecordComponent") // handed on, never changed or compared
  record Encoded(
      long number, byte[] header, byte[] first, ChunkFile.Summary written, long workedNanos)
      implements Answer {}

  /** What an encoder promises of its stream, by a test. */
  @SuppressWarnings("ArrayRecordComponent") // handed on, never changed or compared
  record Tested(long number, byte[] header, byte[] first) implements Answer {}

  record TriedEncoder(long number, TrialResult.Encoding seen) implements Answer {}

  record TriedFrames(long number, TrialResult.Frames seen) implements Answer {}

  record TriedSessions(long number, TrialResult.Sessions seen) implements Answer {}

  record TriedDecoder(long number, TrialResult.Decoding seen) implements Answer {}

  record TriedJoin(long number, TrialResult.Join seen) implements Answer {}

  /** All pieces of an audio track are on disk. */
  record EncodedSound(long number, EncodedAudio audio, long pieces) implements Answer {}

  /** An audio track cannot be taken over as it is; it can be encoded. */
  record NotCopied(long number, String reason) implements Answer {}

  record ReadSubtitles(long number, List<Caption> captions) implements Answer {}

  /** The tracks of a clip are on disk. */
  record MadeClip(long number, ClipTrack video, ClipTrack sound) implements Answer {}

  /**
   * A track of a clip.
   *
   * @param file its samples
   * @param header what the encoder says ahead of the stream
   * @param first the first packet
   * @param timescale ticks a second
   * @param skip ticks before the start, which are decoded and not heard
   */
  @SuppressWarnings("ArrayRecordComponent") // handed on, never changed or compared
  record ClipTrack(Path file, String codec, byte[] header, byte[] first, int timescale, int skip) {}

  record Failed(long number, Failure failure) implements Answer {}

  /** What has that number goes on: a picture went in, or a packet came out. */
  record Working(long number) implements Report {}

  /** Decoding goes on, or waits until there is room. */
  record Decoding() implements Report {}

  /**
   * A piece of an audio track is on disk.
   *
   * @param seconds of the output by which it ends
   */
  record SoundPiece(UnitId unit, Path file, ChunkFile.Summary written, double seconds)
      implements Report {}

  /**
   * A chunk has its first picture and can be encoded.
   *
   * @param onCard where its pictures stay; empty if they are in the memory of the host
   */
  record Ready(long chunk, Optional<OnCard> onCard) implements Report {}

  /** So many bytes of the memory of a card that has decoded. */
  record OnCard(HardwareAddress card, long bytes) {}

  /** A card has failed to decode, or to give out what it has decoded; its worker has to end. */
  record CardFailed(HardwareAddress card) implements Report {}

  /** A chunk has its last picture. */
  record Whole(long chunk) implements Report {}

  /** A chunk is there that was finished before; its pictures were not kept. */
  record Passed(long chunk) implements Report {}

  /** Every chunk before this one was reported; those after it come in any order. */
  record Ordered(long before) implements Report {}

  /** Readers wait again and again, so that many pumps decode from now on. */
  record Pumping(int pumps) implements Report {}

  /** Decoding uses no more than the share of that number. */
  record Within(long share) implements Report {}

  /** Everything is decoded. */
  record Decoded(long frames, long leadIn, long damagedPackets, long concealed, long peakBytes)
      implements Report {}

  /** Something that people should know of, though decoding goes on. */
  record Noticed(String what) implements Report {}

  /** Something of the source is not there. */
  record Missing(String what) implements Report {}

  record DecodeFailed(Failure failure) implements Report {}
}
