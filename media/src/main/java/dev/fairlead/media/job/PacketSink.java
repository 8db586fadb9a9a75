package dev.fairlead.media.job;

/**
 * Takes the packets of a transcode instead of files. Every track's come in order; tracks come side
 * by side. Called on one thread; a sink that takes long delays nothing but the end of the job.
 *
 * <p>What a sink throws ends the job as a full disk would. A job that goes on after it was
 * interrupted begins each track anew; one that was finished before hands out nothing, unless its
 * request says restart.
 */
public interface PacketSink {
  /** A rung or an audio track begins. */
  default void begin(Track track) {}

  void packet(Track track, Packet packet);

  /** All packets of the track have come. */
  default void end(Track track) {}

  /**
   * What packets belong to.
   *
   * @param name of the rung or audio track, such as {@code 720p} or {@code audio-1}
   * @param codecs as playlists say it, such as {@code av01.0.05M.08}
   * @param header the codec's configuration record, as an MP4 file holds it
   * @param timescale ticks a second
   */
  @SuppressWarnings("ArrayRecordComponent") // handed on, never changed or compared
  record Track(String name, String codecs, byte[] header, int timescale) {}

  /** A packet as files hold it; times are in ticks, and begin at 0 with the output. */
  @SuppressWarnings("ArrayRecordComponent") // handed on, never changed or compared
  record Packet(long pts, long dts, long duration, boolean key, byte[] data) {}
}
