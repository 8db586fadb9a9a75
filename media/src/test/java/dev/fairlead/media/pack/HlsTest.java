package dev.fairlead.media.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fairlead.media.TestingFfmpeg;
import dev.fairlead.media.store.Sample;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams of real encoders, packed here, opened by the ffmpeg program. */
class HlsTest {
  private static final int FRAMES = 75;

  @TempDir Path directory;

  @Test
  void packsAv1() throws IOException {
    TestingStream stream = svt();

    List<Segment> segments = write("video", stream.video(), stream.chunks(24_000));

    assertThat(segments).hasSize(3);
    assertThat(segments.getFirst().ticks()).isEqualTo(24_000);
    assertThat(stream.config().codecs()).isEqualTo("av01.0.00M.08");
    checkVideo(directory.resolve("video"), segments);
  }

  @Test
  void packsAvcFromAnnexB() throws IOException {
    TestingStream stream =
        TestingStream.encode(directory, 24_000, with(source(), "-c:v", "libopenh264", "-g", "25"));

    List<Segment> segments = write("video", stream.video(), stream.chunks(24_000));

    assertThat(stream.config().codecs()).startsWith("avc1.");
    checkVideo(directory.resolve("video"), segments);
  }

  @Test
  void twoAv1EncodersShareARung() throws IOException {
    TestingStream one = svt();
    TestingStream other =
        TestingStream.encode(
            directory,
            24_000,
            with(
                source(),
                "-c:v",
                "libaom-av1",
                "-cpu-used",
                "8",
                "-usage",
                "realtime",
                "-g",
                "25"));
    assertThat(one.config().sameBytes(other.config())).isFalse();
    assertThat(one.config().compatibleWith(other.config())).isTrue();
    List<List<Sample>> chunks = one.chunks(24_000);
    List<List<Sample>> mixed = List.of(chunks.get(0), other.chunks(24_000).get(1), chunks.get(2));

    List<Segment> segments = write("video", one.video(), mixed);

    checkVideo(directory.resolve("video"), segments);
  }

  @Test
  void packsOpusWithItsPreSkip() throws IOException {
    TestingStream stream = opus();
    assertThat(stream.samples().getFirst().pts()).isEqualTo(-312);

    List<Segment> segments = write("audio", stream.audio("eng"), stream.chunks(48_000));

    checkAudio(directory.resolve("audio"), segments);
  }

  @Test
  void packsAacWithItsDelay() throws IOException {
    TestingStream stream =
        TestingStream.encode(
            directory, 48_000, "-f", "lavfi", "-i", "sine=r=48000:d=3", "-c:a", "aac", "-ac", "2");
    assertThat(stream.samples().getFirst().pts()).isEqualTo(-1024);

    List<Segment> segments = write("audio", stream.audio("eng"), stream.chunks(48_000));

    checkAudio(directory.resolve("audio"), segments);
  }

  @Test
  void packsSurroundSound() throws IOException {
    TestingStream stream =
        TestingStream.encode(
            directory,
            48_000,
            with(
                List.of("-f", "lavfi", "-i", "anoisesrc=r=48000:d=1:a=0.1", "-ac", "6"),
                "-c:a",
                "libopus",
                "-b:a",
                "192k"));

    write("audio", stream.audio(""), stream.chunks(48_000));

    Path playlist = directory.resolve("audio").resolve(TrackWriter.PLAYLIST);
    TestingFfmpeg.decodesCleanly(playlist);
    assertThat(TestingPackets.entry(playlist, "a:0", "stream=channels")).startsWith("6");
  }

  @Test
  void writesTheSameBytesTwice() throws IOException {
    TestingStream stream = opus();

    List<Segment> once = write("one", stream.audio("eng"), stream.chunks(48_000));
    List<Segment> again = write("two", stream.audio("eng"), stream.chunks(48_000));

    assertThat(again).isEqualTo(once);
    assertThat(directory.resolve("two/init.mp4"))
        .hasSameBinaryContentAs(directory.resolve("one/init.mp4"));
  }

  @Test
  void opensTheMasterPlaylist() throws IOException {
    TestingStream video = svt();
    TestingStream audio = opus();
    List<Segment> pictures = write("video", video.video(), video.chunks(24_000));
    List<Segment> sounds = write("audio", audio.audio("eng"), audio.chunks(48_000));
    Path file = directory.resolve("master.m3u8");

    HlsPlaylists.writeMaster(
        file,
        new HlsPlaylists.Master(
            List.of(new HlsPlaylists.VideoEntry("video/index.m3u8", video.video(), 25, pictures)),
            List.of(
                new HlsPlaylists.AudioEntry(
                    "audio/index.m3u8",
                    "",
                    "bad\"\n#EXT-X-ENDLIST",
                    true,
                    audio.audio("eng"),
                    sounds)),
            List.of()));

    TestingFfmpeg.decodesCleanly(file);
    assertThat(TestingPackets.frameTimes(file, "v:0")).hasSize(FRAMES);
    assertThat(Files.readString(file)).contains("CODECS=\"av01.0.00M.08,opus\"");
  }

  private void checkVideo(Path track, List<Segment> segments) throws IOException {
    Path playlist = track.resolve(TrackWriter.PLAYLIST);
    TestingFfmpeg.decodesCleanly(playlist);
    Path whole = concatenated(track, segments);
    TestingFfmpeg.decodesCleanly(whole);
    for (Path file : List.of(playlist, whole)) {
      List<Double> times = TestingPackets.frameTimes(file, "v:0");
      assertThat(times).hasSize(FRAMES);
      for (int i = 0; i < FRAMES; i++) {
        assertThat(times.get(i)).isEqualTo(i / 25.0, within(1e-4));
      }
    }
  }

  private void checkAudio(Path track, List<Segment> segments) throws IOException {
    TestingFfmpeg.decodesCleanly(track.resolve(TrackWriter.PLAYLIST));
    Path whole = concatenated(track, segments);
    TestingFfmpeg.decodesCleanly(whole);
    double seconds = segments.stream().mapToDouble(Segment::seconds).sum();
    assertThat(seconds).isEqualTo(3, within(0.03));
    // The program drops what lies before the edit, so the first sound is at the very start.
    assertThat(TestingPackets.frameTimes(whole, "a:0").getFirst()).isEqualTo(0, within(1e-4));
    assertThat(TestingPackets.entry(whole, "a:0", "stream_tags=language")).startsWith("eng");
  }

  private TestingStream svt() {
    return TestingStream.encode(
        directory,
        24_000,
        with(source(), "-c:v", "libsvtav1", "-preset", "10", "-crf", "45", "-g", "25"));
  }

  private TestingStream opus() {
    return TestingStream.encode(
        directory, 48_000, "-f", "lavfi", "-i", "sine=r=48000:d=3", "-c:a", "libopus", "-ac", "2");
  }

  private static List<String> source() {
    return List.of("-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=3", "-pix_fmt", "yuv420p");
  }

  private static String[] with(List<String> first, String... rest) {
    List<String> all = new ArrayList<>(first);
    all.addAll(List.of(rest));
    return all.toArray(String[]::new);
  }

  private List<Segment> write(String name, TrackFormat format, List<List<Sample>> chunks) {
    TrackWriter writer = TrackWriter.open(directory.resolve(name), format);
    chunks.forEach(writer::addSegment);
    return writer.finish(2);
  }

  private static Path concatenated(Path track, List<Segment> segments) throws IOException {
    Path file = track.resolve("whole.mp4");
    try (OutputStream out = Files.newOutputStream(file)) {
      Files.copy(track.resolve(TrackWriter.INIT), out);
      for (Segment segment : segments) {
        Files.copy(track.resolve(segment.name()), out);
      }
    }
    return file;
  }
}
