package dev.fairlead.media.pack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.codec.Av1Sequence;
import dev.fairlead.media.codec.CodecConfig;
import dev.fairlead.media.source.Colour;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PlaylistsTest {
  private static final TrackFormat.Video VIDEO =
      TrackFormat.Video.of(
          new CodecConfig.Av1(
              new Av1Sequence(0, 5, 0, 8, false, true, true, 0, 1280, 720, Colour.unspecified()),
              new byte[0]),
          30_000);
  private static final CodecConfig.Opus OPUS =
      CodecConfig.Opus.of(HexFormat.of().parseHex("4f707573486561640102380180bb0000000000"));
  private static final CodecConfig.Aac AAC = CodecConfig.Aac.of(HexFormat.of().parseHex("1190"));

  @Test
  void listsSegmentsWithExactDurations() {
    String text =
        MediaPlaylist.text(
            "init.mp4", List.of(segment(1000, 60_060, 30_000), segment(10, 1001, 30_000)), 3);

    assertThat(text)
        .isEqualTo(
            """
            #EXTM3U
            #EXT-X-VERSION:7
            #EXT-X-TARGETDURATION:3
            #EXT-X-MEDIA-SEQUENCE:0
            #EXT-X-PLAYLIST-TYPE:VOD
            #EXT-X-INDEPENDENT-SEGMENTS
            #EXT-X-MAP:URI="init.mp4"
            #EXTINF:2.002000,
            s.m4s
            #EXTINF:0.033367,
            s.m4s
            #EXT-X-ENDLIST
            """);
  }

  @Test
  void durationsDoNotDrift() {
    List<Segment> thirds = Collections.nCopies(3, segment(1, 1, 3));

    assertThat(MediaPlaylist.text("", thirds, 1))
        .contains("#EXTINF:0.333333,", "#EXTINF:0.333334,")
        .doesNotContain("MAP");
  }

  @Test
  void peakIgnoresATinyLastSegment() {
    List<Segment> segments =
        List.of(segment(1000, 2, 1), segment(3000, 2, 1), segment(1000, 1, 100));

    assertThat(MediaPlaylist.peakBitrate(segments, 2)).isEqualTo(15921); // 4000 bytes in 2.01 s
    assertThat(MediaPlaylist.averageBitrate(segments)).isEqualTo(9976);
  }

  @Test
  void theTargetIsTheLongestDurationToTheNearestSecond() {
    assertThat(target(segment(1, 4_010, 1_000), segment(1, 4_004, 1_000))).isEqualTo(4);
    assertThat(target(segment(1, 24_999_999, 10_000_000))).as("written as 2.500000").isEqualTo(3);
    assertThat(target(segment(1, 1, 100))).isEqualTo(1);
  }

  @Test
  void aMiddleRungIsListedFirst() {
    assertThat(listed(4, 3, 2, 1)).containsExactly("2.m3u8", "4.m3u8", "3.m3u8", "1.m3u8");
    assertThat(listed(1, 3, 2)).containsExactly("2.m3u8", "1.m3u8", "3.m3u8");
    assertThat(listed(2, 1)).containsExactly("1.m3u8", "2.m3u8");
    assertThat(listed(1)).containsExactly("1.m3u8");
  }

  private static int target(Segment... segments) {
    return HlsPlaylists.targetSeconds(Stream.of(segments));
  }

  private static List<String> listed(int... sizes) {
    List<HlsPlaylists.VideoEntry> rungs =
        IntStream.of(sizes)
            .mapToObj(size ->
                new HlsPlaylists.VideoEntry(
                    size + ".m3u8", VIDEO, 30, List.of(segment(size, 2, 1))))
            .toList();
    return HlsPlaylists.master(new HlsPlaylists.Master(rungs, List.of(), List.of()))
        .lines()
        .filter(line -> line.endsWith(".m3u8"))
        .toList();
  }

  @Test
  void listsTracksInGroups() {
    List<Segment> video = List.of(segment(100_000, 2, 1));
    String text =
        HlsPlaylists.master(
            new HlsPlaylists.Master(
                List.of(
                    new HlsPlaylists.VideoEntry("720/index.m3u8", VIDEO, 30000 / 1001.0, video)),
                List.of(
                    audio(OPUS, "opus", "Deutsch", "deu", false, 1000),
                    audio(OPUS, "opus", "English", "eng", true, 2000),
                    audio(AAC, "aac", "English", "eng", true, 4000)),
                List.of(new HlsPlaylists.SubtitleEntry("s/index.m3u8", "fr", "", false))));

    assertThat(text)
        .isEqualTo(
            """
            #EXTM3U
            #EXT-X-VERSION:7
            #EXT-X-INDEPENDENT-SEGMENTS
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="opus",NAME="Deutsch",LANGUAGE="de",DEFAULT=NO,AUTOSELECT=YES,CHANNELS="2",URI="a/index.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="opus",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="a/index.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="a/index.m3u8"
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subtitles",NAME="Subtitles 1",LANGUAGE="fr",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="s/index.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=408000,AVERAGE-BANDWIDTH=408000,CODECS="av01.0.05M.08,opus",RESOLUTION=1280x720,FRAME-RATE=29.970,VIDEO-RANGE=SDR,AUDIO="opus",SUBTITLES="subtitles",CLOSED-CAPTIONS=NONE
            720/index.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=416000,AVERAGE-BANDWIDTH=416000,CODECS="av01.0.05M.08,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=29.970,VIDEO-RANGE=SDR,AUDIO="aac",SUBTITLES="subtitles",CLOSED-CAPTIONS=NONE
            720/index.m3u8
            """);
  }

  @Test
  void languagesAreInTheirShortestForm() {
    assertThat(PlaylistText.language("eng")).isEqualTo("en");
    assertThat(PlaylistText.language("ger")).isEqualTo("de");
    assertThat(PlaylistText.language("por_BR")).isEqualTo("pt-BR");
    assertThat(PlaylistText.language("yue")).isEqualTo("yue");
    assertThat(PlaylistText.language("und")).isEmpty();
    assertThat(PlaylistText.language("?")).isEmpty();
  }

  @Test
  void hostileTitlesCannotAddLinesOrAttributes() {
    String hostile = "x\",URI=\"http://evil/\r\n#EXT-X-ENDLIST\u2028\u0085\u0000\u202e\ud800 end";
    String text =
        HlsPlaylists.master(
            new HlsPlaylists.Master(
                List.of(),
                List.of(
                    audio(OPUS, hostile, hostile, hostile, true, 1),
                    audio(OPUS, hostile, hostile, hostile, true, 1)),
                List.of()));

    assertThat(text.lines().filter(line -> line.startsWith("#EXT-X-MEDIA:"))).hasSize(2);
    assertThat(text.lines()).hasSize(5);
    assertThat(text)
        .contains("NAME=\"x',URI='http://evil/ #EXT-X-ENDLIST end\"", " end (2)\"")
        .doesNotContain("LANGUAGE");
    assertThat(text.chars().filter(c -> c < 0x20)).containsOnly((int) '\n');
    assertThat(text.lines().filter(line -> line.contains("DEFAULT=YES"))).hasSize(1);
  }

  @Test
  void escapesAddressesAndCutsNames() {
    assertThat(PlaylistText.uri("v 1/é\"\n.m3u8")).isEqualTo("v%201/%C3%A9%22%0A.m3u8");
    assertThat(PlaylistText.name("😀".repeat(1000), "x")).hasSize(2 * 120);
    assertThat(PlaylistText.name(" \t\n", "Audio 1")).isEqualTo("Audio 1");
  }

  private static HlsPlaylists.AudioEntry audio(
      CodecConfig.Sound config,
      String group,
      String name,
      String language,
      boolean preferred,
      long bytes) {
    TrackFormat.Audio format = TrackFormat.Audio.of(config, 0, language);
    List<Segment> segments = List.of(segment(bytes, 2, 1));
    return new HlsPlaylists.AudioEntry("a/index.m3u8", group, name, preferred, format, segments);
  }

  private static Segment segment(long bytes, long ticks, int timescale) {
    return new Segment("s.m4s", bytes, ticks, timescale, "");
  }
}
