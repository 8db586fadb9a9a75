package dev.fairlead.media.plan;

import dev.fairlead.media.source.AudioTrack;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What becomes of one audio track.
 *
 * @param name unique in its plan, such as {@code audio-1}; also the name of its files
 * @param channels how many are kept
 * @param bitRate bits a second, where it is encoded; zero where it is copied
 */
public record AudioPlan(String name, AudioTrack track, Action action, int channels, long bitRate) {
  private static final Set<String> COPIED = Set.of("aac", "opus");
  private static final int MOST_CHANNELS = 8;

  /** What is done with it. */
  public enum Action {
    COPY,
    OPUS,
    AAC;

    private long bitRate(int channels) {
      return switch (this) {
        case COPY -> 0;
        case OPUS -> channels == 1 ? 64_000 : channels == 2 ? 128_000 : 32_000 + channels * 48_000L;
        case AAC -> channels == 1 ? 80_000 : channels == 2 ? 160_000 : channels * 64_000L;
      };
    }
  }

  /** The same where it turns out that the track cannot be copied. */
  public AudioPlan encoded() {
    int kept = Math.min(channels, MOST_CHANNELS);
    return new AudioPlan(name, track, Action.OPUS, kept, Action.OPUS.bitRate(kept));
  }

  static List<AudioPlan> of(List<AudioTrack> tracks, AudioMode mode, List<String> notes) {
    List<AudioPlan> plans = new ArrayList<>();
    if (mode != AudioMode.NONE) {
      for (AudioTrack track : tracks) {
        if (track.sampleRate() > 0) {
          plans.add(of("audio-" + (plans.size() + 1), track, mode, notes));
        } else {
          notes.add(
              "The audio in stream %d, %s, is left out: there is no decoder for it"
                  .formatted(track.stream(), track.codec()));
        }
      }
    }
    return List.copyOf(plans);
  }

  private static AudioPlan of(String name, AudioTrack track, AudioMode mode, List<String> notes) {
    boolean copied = COPIED.contains(track.codec());
    Action action =
        switch (mode) {
          case AUTO, COPY, NONE -> copied ? Action.COPY : Action.OPUS;
          case OPUS -> Action.OPUS;
          case AAC -> Action.AAC;
        };
    if (mode == AudioMode.COPY && !copied) {
      notes.add(
          "Audio track %s is %s, which cannot be copied; it is encoded as Opus"
              .formatted(name, track.codec()));
    }
    int channels = Math.max(1, track.channels());
    if (action != Action.COPY && channels > MOST_CHANNELS) {
      notes.add(
          "Audio track %s has %d channels; %d are kept".formatted(name, channels, MOST_CHANNELS));
      channels = MOST_CHANNELS;
    }
    return new AudioPlan(name, track, action, channels, action.bitRate(channels));
  }
}
