package dev.fairlead.media.av;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the times of a source begin again, and by how much its tracks are shifted from there on.
 *
 * <p>Recorders and joined files begin to count anew in the midst of a file. A track whose next time
 * goes back, or forward by more than any track of the file was, has come to a seam: the first one
 * to come there goes on without a gap, and all others are shifted alike when they follow. Packets
 * of different tracks are interleaved loosely, so that each track comes to a seam on its own.
 *
 * <p>All times are in microseconds. What comes out depends on the order of packets in the file
 * only, so a reader from its start sees the same.
 */
final class Seams {
  private static final long BACK = 100_000;
  private static final long FAR = 10_000_000;

  /** Stands for a time that is not known. */
  static final long UNKNOWN = Long.MIN_VALUE;

  private final List<Stretch> stretches = new ArrayList<>(List.of(new Stretch(0)));
  private final Map<Integer, Track> tracks = new HashMap<>();

  /** What lies between two seams. */
  private static final class Stretch {
    private final long shift;
    private long latest = Long.MIN_VALUE;

    Stretch(long shift) {
      this.shift = shift;
    }
  }

  /** A track, and the stretch that it is in. */
  private static final class Track {
    private int stretch;
    private long last;
    private long next;

    Track(int stretch) {
      this.stretch = stretch;
    }
  }

  /** How many there were so far. */
  int count() {
    return stretches.size() - 1;
  }

  /** By how much a track without times of its own to go by is shifted. */
  long shift() {
    return stretches.getLast().shift;
  }

  /** By how much the next packet of a picture or sound track is shifted. */
  long shift(int stream, long time, long duration) {
    Track track = tracks.get(stream);
    if (time == UNKNOWN) {
      return track == null ? shift() : stretches.get(track.stretch).shift;
    }
    if (track == null) {
      track = new Track(stretches.size() - 1);
      tracks.put(stream, track);
    } else if (isBeyond(track, time)) {
      track.stretch = stretchFor(track, time);
    }
    track.last = time;
    track.next = time + duration;
    Stretch stretch = stretches.get(track.stretch);
    stretch.latest = Math.max(stretch.latest, time);
    return stretch.shift;
  }

  private boolean isBeyond(Track track, long time) {
    boolean back = time < track.last - BACK;
    boolean far = time > track.next + FAR && time > stretches.get(track.stretch).latest + FAR;
    return back || far;
  }

  /** The first later stretch that fits, or a new one. */
  private int stretchFor(Track track, long time) {
    long wanted = track.next + stretches.get(track.stretch).shift;
    for (int later = track.stretch + 1; later < stretches.size(); later++) {
      if (Math.abs(time + stretches.get(later).shift - wanted) <= FAR) {
        return later;
      }
    }
    stretches.add(new Stretch(wanted - time));
    return stretches.size() - 1;
  }
}
