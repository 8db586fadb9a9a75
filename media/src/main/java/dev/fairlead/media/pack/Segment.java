package dev.fairlead.media.pack;

/**
 * One file of a playlist.
 *
 * @param name of the file, in the directory of the playlist
 * @param ticks how long it is shown
 * @param timescale ticks per second
 */
public record Segment(String name, long bytes, long ticks, int timescale, String sha256) {
  public Segment {
    if (bytes < 0 || ticks < 0 || timescale <= 0) {
      throw new IllegalArgumentException(
          "%d bytes lasting %d / %d s are no segment".formatted(bytes, ticks, timescale));
    }
  }

  public double seconds() {
    return (double) ticks / timescale;
  }
}
