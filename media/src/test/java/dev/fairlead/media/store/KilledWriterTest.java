package dev.fairlead.media.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left by processes that end without a word, or cannot write any more. */
class KilledWriterTest {
  private static final long SEED = Long.getLong("fairlead.seed", 7_919);
  private static final int ROUNDS = Boolean.getBoolean("fairlead.full") ? 40 : 4;

  @TempDir Path output;

  @Test
  void losesNothingThatItSaidWasDone() throws IOException, InterruptedException {
    SplittableRandom random = new SplittableRandom(SEED);
    Set<String> acknowledged = new TreeSet<>();
    for (int round = 0; round < ROUNDS; round++) {
      Process process = TestingWriter.start(output, 20);
      acknowledged.addAll(untilKilled(process, random.nextInt(300)));
      check(acknowledged, "round " + round + ", seed " + SEED);
    }
    assertThat(acknowledged).isNotEmpty();
  }

  @Test
  void leavesWholeChunksOnlyWhenTheDiskIsFull() throws IOException, InterruptedException {
    Process process = TestingWriter.start(output, 1_000, "ulimit -f 8");
    List<String> lines = TestingWriter.lines(process);
    process.waitFor();

    assertThat(lines)
        .hasSize(2)
        .last()
        .asString()
        .startsWith("failed Cannot write")
        .contains("large");
    check(new TreeSet<>(), "no chunk fits");
    try (var files = Files.walk(output)) {
      assertThat(files.filter(Files::isRegularFile).map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("lock", "journal");
    }
  }

  @Test
  void goesOnWhenThereIsRoomAgainForTheJournal() throws IOException, InterruptedException {
    Process process = TestingWriter.start(output, 1, "ulimit -f 8");
    List<String> lines = new ArrayList<>(TestingWriter.lines(process));
    process.waitFor();

    assertThat(lines.getFirst()).isEqualTo("ready");
    assertThat(lines.removeLast()).startsWith("failed Cannot write").contains("journal");
    lines.removeFirst();
    assertThat(lines).hasSizeGreaterThan(3);
    check(new TreeSet<>(lines), "the journal is full");
    Set<String> more = new TreeSet<>(lines);
    more.addAll(untilKilled(TestingWriter.start(output, 1), 100));
    check(more, "there is room again");
  }

  @Test
  void keepsASecondProcessOutUntilItEnds() throws IOException, InterruptedException {
    Process process = TestingWriter.start(output, 20);
    try (BufferedReader reader = process.inputReader()) {
      assertThat(reader.readLine()).isEqualTo("ready");
      assertThatExceptionOfType(OutputLock.Busy.class)
          .isThrownBy(() -> Workspace.open(output))
          .withMessageContaining(output.toString())
          .withMessageContaining("process " + process.pid());
      assertThatExceptionOfType(OutputLock.Busy.class)
          .as("the first refusal has let go of all it held")
          .isThrownBy(() -> Workspace.open(output))
          .withMessageContaining("process " + process.pid());
    } finally {
      process.destroyForcibly().waitFor();
    }
    Workspace.open(output).close();
  }

  /** Kills it so long after it is ready, and gives what it had said by then. */
  private static List<String> untilKilled(Process process, int millis)
      throws IOException, InterruptedException {
    List<String> said = new ArrayList<>();
    try (BufferedReader reader = process.inputReader()) {
      assertThat(reader.readLine()).isEqualTo("ready");
      Thread.sleep(millis);
      process.toHandle().destroyForcibly(); // which, unlike the process's own, leaves its output
      process.waitFor();
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        said.add(line);
      }
    }
    assertThat(said).noneMatch(line -> line.startsWith("failed"));
    return said;
  }

  private void check(Set<String> acknowledged, String how) {
    try (Workspace workspace = Workspace.open(output)) {
      JournalState state = workspace.journal().state();
      assertThat(state.lost()).as(how).isEmpty();
      assertThat(state.suspects().size()).as(how).isLessThanOrEqualTo(1);
      assertThat(state.committed().keySet().stream().map(UnitId::toString))
          .as(how)
          .containsAll(acknowledged);
      for (JournalEntry.Committed committed : state.committed().values()) {
        List<Sample> samples = ChunkFile.read(workspace.chunkFile(committed));
        assertThat(samples)
            .as(how)
            .usingRecursiveFieldByFieldElementComparator()
            .isEqualTo(TestingSamples.of(committed.unit().chunk(), (int) committed.frames()));
      }
    }
  }
}
