package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.TestingFfmpeg;
import dev.fairlead.media.plan.OutputFormat;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.store.JournalEntry;
import dev.fairlead.media.store.Workspace;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A job replaces and removes files of its own only, and those it has published stay whole. */
class OwnFilesTest {
  @TempDir private Path directory;

  private static Path clip() {
    return TestingClips.clip(
        "short.mp4", "-f lavfi -i testsrc2=s=320x180:r=25 -t 1 -c:v libopenh264 -an");
  }

  @Test
  void anInputThatHasTheNameOfARungIsRefused() throws Exception {
    Path input = Files.copy(clip(), directory.resolve("180p.mp4"));
    assertRefused(TestingJobs.request(input, directory).withFormat(OutputFormat.MP4), input);
  }

  @Test
  void anInputBehindALinkThatHasTheNameOfARungIsRefused() throws Exception {
    Path input = Files.copy(clip(), directory.resolve("holiday.mp4"));
    Path output = Files.createDirectory(directory.resolve("out"));
    Path link = Files.createSymbolicLink(output.resolve("180p.mp4"), input);
    assertRefused(TestingJobs.request(input, output).withFormat(OutputFormat.MP4), input);
    assertThat(link).isSymbolicLink();
  }

  @Test
  void anInputThatAnEarlierRunMadeIsNotRemovedByARestart() throws Exception {
    Path output = directory.resolve("out");
    TestingJobs.run(TestingJobs.request(clip(), output).withFormat(OutputFormat.MP4), "cpu:1");
    Path made = output.resolve("180p.mp4");
    Path link = Files.createLink(directory.resolve("other.mp4"), made);
    assertRefused(TestingJobs.request(made, output).withRestart(true), made);
    assertRefused(TestingJobs.request(link, output).withRestart(true), made);
  }

  private static void assertRefused(TranscodeRequest request, Path input) throws IOException {
    byte[] before = Files.readAllBytes(input);
    assertThatThrownBy(() -> TestingJobs.run(request, "cpu:1"))
        .isInstanceOf(TranscodeException.BadRequest.class)
        .hasMessageContaining("choose another output");
    assertThat(input).hasBinaryContent(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"master.m3u8", "90p/index.m3u8", "180p/segment-00001.m4s"})
  void aForeignFileWithTheNameOfOneOfOursIsRefused(String name) throws Exception {
    Path output = directory.resolve("out");
    Path foreign = output.resolve(name);
    Files.createDirectories(foreign.getParent());
    Files.writeString(foreign, "mine");
    assertThatThrownBy(() -> TestingJobs.run(TestingJobs.request(clip(), output), "cpu:1"))
        .isInstanceOf(TranscodeException.BadRequest.class)
        .hasMessageContaining(name);
    try (Stream<Path> files = Files.walk(output)) {
      assertThat(files.filter(Files::isRegularFile))
          .filteredOn(file -> !file.toString().contains(".fairlead"))
          .containsExactly(foreign);
    }
    assertThat(foreign).hasContent("mine");
    Files.delete(foreign);
    assertThat(TestingJobs.run(TestingJobs.request(clip(), output), "cpu:1").status())
        .as("nothing of the refused run is in the way")
        .isEqualTo("done");
  }

  @Test
  void foreignFilesBesideOursOutliveARestart() throws Exception {
    Path output = directory.resolve("out");
    TranscodeRequest request = TestingJobs.request(clip(), output);
    TestingJobs.run(request, "cpu:1");
    List<Path> foreign =
        List.of(
            output.resolve("180p/notes.txt"),
            output.resolve("180p.mp4"),
            output.resolve("90p/segment-00099.m4s"));
    for (Path each : foreign) {
      Files.writeString(each, "mine");
    }
    SortedMap<String, String> before = TestingJobs.hashes(output);
    assertThat(TestingJobs.run(request.withRestart(true), "cpu:1").status()).isEqualTo("done");
    assertThat(TestingJobs.hashes(output)).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"master.m3u8", "180p/segment-00001.m4s", "90p/init.mp4"})
  void whatIsMissingOrChangedOfAFinishedJobIsPublishedAgain(String name) throws Exception {
    Path output = directory.resolve("out");
    TranscodeRequest request = TestingJobs.request(clip(), output);
    TestingJobs.run(request, "cpu:1");
    SortedMap<String, String> whole = TestingJobs.hashes(output);
    assertThat(TestingJobs.run(request, "cpu:1").status()).isEqualTo("unchanged");

    Files.delete(output.resolve(name));
    List<TranscodeListener.Event> events = Collections.synchronizedList(new ArrayList<>());
    assertThat(run(request, ChaosPlan.none(), events).status()).isEqualTo("done");
    assertThat(events)
        .filteredOn(TranscodeListener.Event.Noticed.class::isInstance)
        .anyMatch(notice -> notice.toString().contains(name));
    assertThat(TestingJobs.hashes(output)).isEqualTo(whole);

    flip(output.resolve(name));
    assertThat(TestingJobs.run(request, "cpu:1").status()).isEqualTo("done");
    assertThat(TestingJobs.hashes(output)).isEqualTo(whole);
    assertThat(TestingJobs.run(request, "cpu:1").status()).isEqualTo("unchanged");
    TestingFfmpeg.decodesCleanly(output.resolve("180p/index.m3u8"));
  }

  @Test
  void aSegmentThatIsRemovedWhileTheJobRunsIsPublishedAgain() throws Exception {
    Path calm = directory.resolve("calm");
    TestingJobs.run(TestingJobs.request(clip(), calm), "cpu:1");
    Path output = directory.resolve("out");
    boolean[] removed = new boolean[1];
    TestingJobs.run(
        TestingJobs.request(clip(), output),
        "cpu:1",
        ChaosPlan.none(),
        Duration.ofSeconds(60),
        event -> {
          if (event instanceof TranscodeListener.Event.RungWritten && !removed[0]) {
            removed[0] = output.resolve("180p/segment-00001.m4s").toFile().delete();
          }
        });
    assertThat(removed[0]).isTrue();
    assertThat(TestingJobs.hashes(output)).isEqualTo(TestingJobs.hashes(calm));
  }

  @Test
  void aFlippedBitInACommittedChunkCostsThatChunkOnly() throws Exception {
    Path calm = directory.resolve("calm");
    TestingJobs.run(TestingJobs.request(TestingClips.usual(), calm), "cpu:1");
    Path output = directory.resolve("out");
    TranscodeRequest request = TestingJobs.request(TestingClips.usual(), output);
    assertThatThrownBy(() -> run(request, ChaosPlan.parse("throw@90p/2x*"), new ArrayList<>()))
        .isInstanceOf(TranscodeException.GaveUp.class);
    List<Path> chunks;
    try (Stream<Path> files = Files.walk(output.resolve(".fairlead/chunks/90p"))) {
      chunks = files.filter(Files::isRegularFile).sorted().toList();
    }
    flip(chunks.getFirst());

    List<TranscodeListener.Event> events = Collections.synchronizedList(new ArrayList<>());
    assertThat(run(request, ChaosPlan.none(), events).status()).isEqualTo("done");
    assertThat(TestingJobs.hashes(output)).isEqualTo(TestingJobs.hashes(calm));
    assertThat(events)
        .filteredOn(TranscodeListener.Event.Noticed.class::isInstance)
        .anyMatch(notice -> notice.toString().contains("90p/000000"));
  }

  @Test
  void aChunkOfAnotherVersionIsEncodedAgain() throws Exception {
    Path output = directory.resolve("out");
    TranscodeRequest request = TestingJobs.request(TestingClips.usual(), output);
    assertThatThrownBy(() -> run(request, ChaosPlan.parse("throw@90p/2x*"), new ArrayList<>()))
        .isInstanceOf(TranscodeException.GaveUp.class);
    Path chunk;
    try (Stream<Path> files = Files.walk(output.resolve(".fairlead/chunks/180p"))) {
      chunk = files.filter(Files::isRegularFile).findFirst().orElseThrow();
    }
    try (RandomAccessFile bytes = new RandomAccessFile(chunk.toFile(), "rw")) {
      bytes.seek(4);
      bytes.writeInt(1);
    }

    List<TranscodeListener.Event> events = Collections.synchronizedList(new ArrayList<>());
    assertThat(run(request, ChaosPlan.none(), events).status()).isEqualTo("done");
    assertThat(events)
        .filteredOn(TranscodeListener.Event.Noticed.class::isInstance)
        .anyMatch(notice -> notice.toString().contains("version 1, not 2"));
    TestingFfmpeg.decodesCleanly(output.resolve("180p/index.m3u8"));
  }

  @Test
  void theJournalHasTheHashThatAnotherProgramComputes() throws Exception {
    Path output = directory.resolve("out");
    TestingJobs.run(TestingJobs.request(clip(), output).withFormat(OutputFormat.BOTH), "cpu:1");
    Collection<JournalEntry.Published> published;
    try (Workspace workspace = Workspace.open(output)) {
      published = workspace.journal().state().published().values();
    }

    assertThat(published).hasSizeGreaterThan(8);
    for (JournalEntry.Published each : published) {
      assertThat(each.sha256()).as(each.path()).isEqualTo(sha256sum(output.resolve(each.path())));
    }
  }

  private static String sha256sum(Path file) throws IOException {
    Process process = new ProcessBuilder("sha256sum", file.toString()).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
        .substring(0, 64);
  }

  private static TranscodeResult run(
      TranscodeRequest request, ChaosPlan chaos, List<TranscodeListener.Event> events)
      throws Exception {
    return TestingJobs.run(request, "cpu:1", chaos, Duration.ofSeconds(60), events::add);
  }

  /** Changes a bit in the middle of a file; its length and its time stay as they were. */
  private static void flip(Path file) throws IOException {
    var time = Files.getLastModifiedTime(file);
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      long middle = bytes.length() / 2;
      bytes.seek(middle);
      int before = bytes.read();
      bytes.seek(middle);
      bytes.write(before ^ 1);
    }
    Files.setLastModifiedTime(file, time);
  }
}
