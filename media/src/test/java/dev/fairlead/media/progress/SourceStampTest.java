package dev.fairlead.media.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.job.ChaosPlan;
import dev.fairlead.media.job.TestingJobs;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.job.TranscodeListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A source that is replaced or changed while it is read is no source. */
class SourceStampTest {
  @TempDir private Path directory;

  @Test
  void aSourceThatIsReplacedByAnEqualFileEndsTheJob() throws Exception {
    Path source = copy("source.mp4");
    Path other = copy("other.mp4");
    assertEnds(source, () -> Files.move(other, source, StandardCopyOption.REPLACE_EXISTING));
  }

  @Test
  void aSourceThatGrowsEndsTheJob() throws Exception {
    Path source = copy("source.mp4");
    assertEnds(source, () -> Files.write(source, new byte[1], StandardOpenOption.APPEND));
  }

  @Test
  void aSourceThatIsRemovedEndsTheJob() throws Exception {
    Path source = copy("source.mp4");
    assertEnds(source, () -> Files.delete(source));
  }

  private static void isRefused(Path source, String why) {
    assertThatThrownBy(() -> SourceStamp.of(source))
        .isInstanceOf(TranscodeException.Unreadable.class)
        .hasMessage(source + ": " + why);
  }

  @Test
  void whatIsNoFileIsRefusedInWordsForPeople() {
    isRefused(directory.resolve("none"), "is not there; name a video file that you may read");
    isRefused(directory, "is a directory; name a video file that you may read");
    isRefused(
        Path.of("https://example.org/a.mp4"),
        "addresses are not read; download the video, and name the file");
  }

  private interface Change {
    void make() throws IOException;
  }

  private Path copy(String name) throws IOException {
    return Files.copy(
        TestingClips.usual(), directory.resolve(name), StandardCopyOption.COPY_ATTRIBUTES);
  }

  private void assertEnds(Path source, Change change) {
    AtomicBoolean made = new AtomicBoolean();
    Path output = directory.resolve("out");
    assertThatThrownBy(() ->
            TestingJobs.run(
                TestingJobs.request(source, output),
                "cpu:1",
                ChaosPlan.none(),
                Duration.ofSeconds(60),
                event -> {
                  if (event instanceof TranscodeListener.Event.RungWritten
                      && made.compareAndSet(false, true)) {
                    try {
                      change.make();
                    } catch (IOException failure) {
                      throw new UncheckedIOException(failure);
                    }
                  }
                }))
        .isInstanceOf(TranscodeException.Unreadable.class)
        .hasMessageContaining("source.mp4");
    assertThat(made).isTrue();
    assertThat(output.resolve("master.m3u8")).doesNotExist();
  }
}
