package dev.fairlead.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestingFfmpegTest {
  @TempDir Path directory;

  @Test
  void makesAndReadsAFile() {
    Path file = directory.resolve("a.mp4");
    TestingFfmpeg.ffmpeg(
        "-f", "lavfi", "-i", "testsrc2=s=160x96:r=10:d=1", "-c:v", "libopenh264", file.toString());

    TestingFfmpeg.decodesCleanly(file);
    assertThat(
            TestingFfmpeg.ffprobe(
                "-show_entries", "stream=width,nb_frames", "-of", "csv=p=0", file.toString()))
        .isEqualToIgnoringNewLines("160,10");
  }

  @Test
  void saysWhyAProgramFailed() {
    assertThatThrownBy(() -> TestingFfmpeg.ffprobe(directory.resolve("none.mp4").toString()))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("No such file");
  }
}
