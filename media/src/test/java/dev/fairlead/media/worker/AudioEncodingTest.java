package dev.fairlead.media.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.plan.AudioMode;
import dev.fairlead.media.store.ChunkFile;
import dev.fairlead.media.wire.Report;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sound is made in pieces, the same wherever it is taken up, and never held as a whole. */
class AudioEncodingTest {
  private static final String PICTURE = "-f lavfi -i testsrc2=s=160x90:r=1 ";

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource(names = {"COPY", "OPUS", "AAC"})
  void aTrackThatIsTakenUpAtAnyPieceComesOutTheSame(AudioMode mode) throws Exception {
    Path source =
        TestingClips.clip(
            "pieces.mkv",
            PICTURE + "-f lavfi -i sine=f=440:r=44100 -t 70 -c:v libopenh264 -c:a aac");
    TestingSound.Made whole = TestingSound.make(source, mode, 0, directory.resolve("whole"));
    assertThat(whole.pieces()).hasSize(3);
    assertThat(whole.answer()).isInstanceOf(Report.EncodedSound.class);
    long next = ChunkFile.read(whole.pieces().getFirst().file()).getFirst().pts();
    for (Report.SoundPiece piece : whole.pieces()) {
      for (var sample : ChunkFile.read(piece.file())) {
        assertThat(sample.pts()).as("in %s", piece.unit()).isEqualTo(next);
        next += sample.duration();
      }
    }
    for (int first = 1; first <= 3; first++) {
      TestingSound.Made rest =
          TestingSound.make(source, mode, first, directory.resolve("from-" + first));
      assertThat(rest.pieces())
          .extracting(Report.SoundPiece::written)
          .isEqualTo(
              whole.pieces().subList(first, 3).stream().map(Report.SoundPiece::written).toList());
      Report.EncodedSound answer = (Report.EncodedSound) rest.answer();
      assertThat(answer.pieces()).as("taken up at %d", first).isEqualTo(3);
      assertThat(answer.audio())
          .usingRecursiveComparison()
          .isEqualTo(((Report.EncodedSound) whole.answer()).audio());
    }
  }

  @Test
  void soundIsNeverHeldAsAWhole() throws Exception {
    Path noise =
        TestingClips.clip(
            "noise.mkv",
            "-f lavfi -i anoisesrc=r=48000:d=10 -af pan=5.1|c0=c0|c1=c0|c2=c0|c3=c0|c4=c0|c5=c0"
                + " -c:a aac -b:a 1800k");
    Path source =
        TestingClips.clip(
            "much.mkv",
            PICTURE
                + "-stream_loop 49 -i "
                + noise
                + " -t 500 -map 0:v -map 1:a -c:v libopenh264 -c:a copy");
    int heap = 32;
    assertThat(Files.size(source)).as("of the source").isGreaterThan(heap * (2L << 20));
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx" + heap + "m",
                    "--enable-native-access=ALL-UNNAMED",
                    "-Dorg.bytedeco.javacpp.maxBytes=0",
                    "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0",
                    "-cp",
                    System.getProperty("java.class.path"),
                    TestingSound.class.getName(),
                    source.toString(),
                    directory.resolve("much").toString()))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    try {
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("it ended").isTrue();
      assertThat(process.exitValue()).as(Files.readString(directory.resolve("log"))).isZero();
    } finally {
      process.destroyForcibly();
    }
  }
}
