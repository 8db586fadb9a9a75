package dev.fairlead.media.pack;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The playlist that lists all tracks of an output (RFC 8216, section 4.3.4). */
public final class HlsPlaylists {
  private static final String SUBTITLES = "subtitles";

  private HlsPlaylists() {}

  /**
   * A video track in one size.
   *
   * @param path of its playlist, relative to the master playlist
   */
  public record VideoEntry(
      String path, TrackFormat.Video format, double frameRate, List<Segment> segments) {
    public VideoEntry {
      segments = List.copyOf(segments);
    }
  }

  /**
   * An audio track.
   *
   * @param path of its playlist, relative to the master playlist
   * @param group tracks of one codec, of which a player plays one; empty for the only group
   * @param name for people; may come from an untrusted file
   * @param preferred whether to play it unless another is chosen
   */
  public record AudioEntry(
      String path,
      String group,
      String name,
      boolean preferred,
      TrackFormat.Audio format,
      List<Segment> segments) {
    public AudioEntry {
      segments = List.copyOf(segments);
    }
  }

  /**
   * A subtitle track; {@code path}, {@code name} and {@code preferred} as for audio.
   *
   * @param forced whether it is to be shown also to those who want no subtitles
   */
  public record SubtitleEntry(
      String path, String language, String name, boolean preferred, boolean forced) {
    public SubtitleEntry(String path, String language, String name, boolean preferred) {
      this(path, language, name, preferred, false);
    }
  }

  /** All tracks of an output. */
  public record Master(
      List<VideoEntry> video, List<AudioEntry> audio, List<SubtitleEntry> subtitles) {
    public Master {
      video = List.copyOf(video);
      audio = List.copyOf(audio);
      subtitles = List.copyOf(subtitles);
    }
  }

  /** The target duration of all playlists of a package that has these segments. */
  public static int targetSeconds(Stream<Segment> segments) {
    return MediaPlaylist.targetSeconds(segments);
  }

  /** Writes the master playlist, whole or not at all. */
  public static void writeMaster(Publication publication, Path file, Master master) {
    MediaPlaylist.write(publication, file, master(master));
  }

  public static void writeMaster(Path file, Master master) {
    writeMaster(Publication.plain(), file, master);
  }

  static String master(Master master) {
    StringBuilder out = new StringBuilder("#EXTM3U\n#EXT-X-VERSION:7\n");
    out.append("#EXT-X-INDEPENDENT-SEGMENTS\n");
    Map<String, List<AudioEntry>> groups = new LinkedHashMap<>();
    for (AudioEntry entry : master.audio) {
      String group = PlaylistText.name(entry.group, "audio");
      groups.computeIfAbsent(group, _ -> new ArrayList<>()).add(entry);
    }
    groups.forEach((group, entries) -> audioGroup(out, group, entries));
    subtitleGroup(out, master.subtitles);
    int target =
        targetSeconds(
            Stream.concat(
                master.video.stream().flatMap(video -> video.segments.stream()),
                master.audio.stream().flatMap(audio -> audio.segments.stream())));
    Streams streams = new Streams(out, target, !master.subtitles.isEmpty());
    for (VideoEntry video : middleFirst(master.video, target)) {
      if (groups.isEmpty()) {
        streams.add(video, "", List.of());
      }
      groups.forEach((group, entries) -> streams.add(video, group, entries));
    }
    return out.toString();
  }

  /** Players begin with the first one: one that most lines can bear, and not the worst. */
  private static List<VideoEntry> middleFirst(List<VideoEntry> all, int target) {
    List<VideoEntry> ordered = new ArrayList<>(all);
    ordered.sort(
        Comparator.comparingLong(video -> MediaPlaylist.peakBitrate(video.segments, target)));
    List<VideoEntry> middleFirst = new ArrayList<>(all);
    if (!all.isEmpty()) {
      VideoEntry middle = ordered.get((ordered.size() - 1) / 2);
      middleFirst.remove(middle);
      middleFirst.addFirst(middle);
    }
    return middleFirst;
  }

  private static void audioGroup(StringBuilder out, String group, List<AudioEntry> entries) {
    Names names = new Names("Audio");
    int chosen = indexOfPreferred(entries.stream().map(AudioEntry::preferred).toList(), 0);
    for (int i = 0; i < entries.size(); i++) {
      AudioEntry entry = entries.get(i);
      media(out, "AUDIO", group, names.unique(entry.name), entry.format.language());
      out.append(i == chosen ? ",DEFAULT=YES" : ",DEFAULT=NO").append(",AUTOSELECT=YES");
      out.append(",CHANNELS=\"").append(entry.format.channels()).append('"');
      out.append(",URI=\"").append(PlaylistText.uri(entry.path)).append("\"\n");
    }
  }

  private static void subtitleGroup(StringBuilder out, List<SubtitleEntry> entries) {
    Names names = new Names("Subtitles");
    int chosen = indexOfPreferred(entries.stream().map(SubtitleEntry::preferred).toList(), -1);
    for (int i = 0; i < entries.size(); i++) {
      SubtitleEntry entry = entries.get(i);
      media(out, "SUBTITLES", SUBTITLES, names.unique(entry.name), entry.language);
      out.append(i == chosen ? ",DEFAULT=YES" : ",DEFAULT=NO").append(",AUTOSELECT=YES");
      out.append(entry.forced ? ",FORCED=YES" : ",FORCED=NO");
      out.append(",URI=\"").append(PlaylistText.uri(entry.path)).append("\"\n");
    }
  }

  private static void media(
      StringBuilder out, String type, String group, String name, String language) {
    out.append("#EXT-X-MEDIA:TYPE=").append(type);
    out.append(",GROUP-ID=\"").append(group).append("\",NAME=\"").append(name).append('"');
    String tag = PlaylistText.language(language);
    if (!tag.isEmpty()) {
      out.append(",LANGUAGE=\"").append(tag).append('"');
    }
  }

  /** Writes a line for each way to see and hear the output. */
  private record Streams(StringBuilder out, int target, boolean subtitles) {
    void add(VideoEntry video, String group, List<AudioEntry> audio) {
      long peak = MediaPlaylist.peakBitrate(video.segments, target);
      long average = MediaPlaylist.averageBitrate(video.segments);
      peak +=
          audio.stream()
              .mapToLong(entry -> MediaPlaylist.peakBitrate(entry.segments, target))
              .max()
              .orElse(0);
      average +=
          audio.stream()
              .mapToLong(entry -> MediaPlaylist.averageBitrate(entry.segments))
              .max()
              .orElse(0);
      TrackFormat.Video format = video.format;
      out.append("#EXT-X-STREAM-INF:BANDWIDTH=").append(peak);
      out.append(",AVERAGE-BANDWIDTH=").append(average);
      Set<String> sounds = new TreeSet<>();
      audio.forEach(entry -> sounds.add(entry.format.config().codecs()));
      out.append(",CODECS=\"").append(format.config().codecs());
      sounds.forEach(codec -> out.append(',').append(codec));
      out.append("\",RESOLUTION=").append(format.displayWidth());
      out.append('x').append(format.height());
      out.append(String.format(Locale.ROOT, ",FRAME-RATE=%.3f", video.frameRate));
      out.append(",VIDEO-RANGE=").append(format.colour().range());
      if (!audio.isEmpty()) {
        out.append(",AUDIO=\"").append(group).append('"');
      }
      if (subtitles) {
        out.append(",SUBTITLES=\"").append(SUBTITLES).append('"');
      }
      out.append(",CLOSED-CAPTIONS=NONE");
      out.append('\n').append(PlaylistText.uri(video.path)).append('\n');
    }
  }

  /** One track of a group is the default: the first preferred one, else {@code otherwise}. */
  private static int indexOfPreferred(List<Boolean> preferred, int otherwise) {
    int index = preferred.indexOf(true);
    return index >= 0 ? index : otherwise;
  }

  /** Names of a group, which must differ. */
  private static final class Names {
    private final String kind;
    private final Set<String> used = new HashSet<>();
    private int count;

    Names(String kind) {
      this.kind = kind;
    }

    String unique(String wanted) {
      count++;
      String name = PlaylistText.name(wanted, kind + " " + count);
      String unique = name;
      for (int i = 2; !used.add(unique); i++) {
        unique = name + " (" + i + ")";
      }
      return unique;
    }
  }
}
