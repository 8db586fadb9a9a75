package dev.fairlead.media.progress;

import dev.fairlead.media.pack.Segment;
import java.nio.file.Path;
import java.util.List;

/**
 * What was written of a rung.
 *
 * @param bytes of its segments, or of its file
 * @param manifest what a player opens to see it; empty if there are no files
 */
public record RungFiles(List<Segment> segments, long bytes, Path manifest) {
  public RungFiles {
    segments = List.copyOf(segments);
  }
}
