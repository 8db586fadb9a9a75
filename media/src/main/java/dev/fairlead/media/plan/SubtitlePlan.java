package dev.fairlead.media.plan;

import dev.fairlead.media.source.SubtitleTrack;
import java.util.ArrayList;
import java.util.List;

/**
 * A subtitle track that is kept, as WebVTT.
 *
 * @param name unique in its plan, such as {@code subtitles-1}; also the name of its files
 */
public record SubtitlePlan(String name, SubtitleTrack track) {
  static List<SubtitlePlan> of(List<SubtitleTrack> tracks, List<String> notes) {
    List<SubtitlePlan> plans = new ArrayList<>();
    for (SubtitleTrack track : tracks) {
      if (track.text()) {
        plans.add(new SubtitlePlan("subtitles-" + (plans.size() + 1), track));
      } else {
        notes.add(
            "Subtitles in stream %d are %s, which are pictures; they are left out"
                .formatted(track.stream(), track.codec()));
      }
    }
    return List.copyOf(plans);
  }
}
