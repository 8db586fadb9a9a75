package dev.fairlead.media.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fairlead.device.DeviceId;
import dev.fairlead.media.plan.Fingerprint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkspaceTest {
  private static final Fingerprint PLAN = Fingerprint.empty().with("preset", 10);
  private static final UnitId ONE = new UnitId("720p", 1);
  private static final UnitId TWO = new UnitId("720p", 2);

  @TempDir Path output;

  @Test
  void goesFromFreshToResumableToFinished() {
    try (Workspace workspace = Workspace.open(output)) {
      assertThat(workspace.standing(PLAN)).isInstanceOf(Workspace.Standing.Fresh.class);
      workspace.journal().append(new JournalEntry.Begun(PLAN));
      commit(workspace, ONE);
    }
    try (Workspace workspace = Workspace.open(output)) {
      assertThat(workspace.standing(PLAN))
          .isInstanceOfSatisfying(
              Workspace.Standing.Resumable.class,
              standing -> assertThat(standing.state().committed()).containsOnlyKeys(ONE));
      workspace.finish();
      assertThat(file(workspace, ONE)).doesNotExist();
    }
    try (Workspace workspace = Workspace.open(output)) {
      assertThat(workspace.standing(PLAN)).isInstanceOf(Workspace.Standing.Finished.class);
      assertThat(workspace.journal().state().lost()).isEmpty();
    }
  }

  @Test
  void saysWhatDiffersFromTheWorkThatIsThere() {
    try (Workspace workspace = Workspace.open(output)) {
      workspace.journal().append(new JournalEntry.Begun(PLAN));
      commit(workspace, ONE);

      assertThat(workspace.standing(PLAN.with("preset", 8)))
          .isEqualTo(
              new Workspace.Standing.Different(
                  "", List.of(new Fingerprint.Difference("preset", "10", "8"))));
    }
  }

  @Test
  void aJobThatHasMadeNothingIsNotInTheWayOfAnother() {
    try (Workspace workspace = Workspace.open(output)) {
      workspace.journal().append(new JournalEntry.Begun(PLAN));

      assertThat(workspace.standing(PLAN.with("preset", 8)))
          .isInstanceOf(Workspace.Standing.Fresh.class);
    }
  }

  @Test
  void theFirstToCommitAUnitWins() {
    try (Workspace workspace = Workspace.open(output)) {
      workspace.journal().append(new JournalEntry.Begun(PLAN));
      commit(workspace, ONE);
      Path late = workspace.chunkFile(ONE, DeviceId.of("cpu:1"));
      ChunkFile.Summary written =
          ChunkFile.write(late, TestingSamples.header(ONE), TestingSamples.of(1, 2));

      assertThat(workspace.commit(ONE, late, written)).isFalse();

      assertThat(workspace.journal().state().committed().get(ONE))
          .extracting(workspace::chunkFile)
          .isEqualTo(file(workspace, ONE));
    }
  }

  @Test
  void doesAgainWhatIsNotThereAsItWasCommitted() throws IOException {
    UnitId three = new UnitId("720p", 3);
    try (Workspace workspace = Workspace.open(output)) {
      workspace.journal().append(new JournalEntry.Begun(PLAN));
      commit(workspace, ONE);
      commit(workspace, TWO);
      commit(workspace, three);
      Files.delete(file(workspace, ONE));
      Files.write(file(workspace, TWO), new byte[5]);
    }
    try (Workspace workspace = Workspace.open(output)) {
      assertThat(workspace.journal().state().committed()).containsOnlyKeys(three);
      assertThat(workspace.journal().state().lost()).containsExactlyInAnyOrder(ONE, TWO);
      commit(workspace, ONE);
      assertThat(workspace.journal().state().lost()).containsExactly(TWO);
    }
  }

  @Test
  void removesWhatIsNotComplete() throws IOException {
    Path partial;
    try (Workspace workspace = Workspace.open(output)) {
      commit(workspace, ONE);
      partial = DurableFiles.partialOf(file(workspace, TWO));
      Files.write(partial, new byte[5]);
      Files.write(workspace.temporaryFile("sound"), new byte[5]);
    }
    try (Workspace workspace = Workspace.open(output)) {
      assertThat(partial).doesNotExist();
      assertThat(workspace.temporaryFile("sound")).doesNotExist();
      assertThat(file(workspace, ONE)).exists();
    }
  }

  @Test
  void restartRemovesItsOwnFilesAndNoOthers() throws IOException {
    Path own = Files.createDirectories(output.resolve("720p")).resolve("init.mp4");
    Path others = output.resolve("holiday.mp4");
    Path below = Files.createDirectories(output.resolve("360p")).resolve("notes.txt");
    Path outside = output.resolveSibling(output.getFileName() + ".txt");
    for (Path file : List.of(own, others, below, outside)) {
      Files.write(file, new byte[1]);
    }
    try (Workspace workspace = Workspace.open(output)) {
      workspace.journal().append(new JournalEntry.Begun(PLAN));
      for (String path :
          List.of(
              "720p/init.mp4",
              "360p",
              "360p/init.mp4",
              "../" + outside.getFileName(),
              ".",
              ".fairlead",
              ".fairlead/lock",
              "none")) {
        workspace.journal().append(new JournalEntry.Published(path, 1, "00"));
      }
      commit(workspace, ONE);
    }
    try (Workspace workspace = Workspace.openAnew(output)) {
      assertThat(workspace.standing(PLAN)).isInstanceOf(Workspace.Standing.Fresh.class);
      assertThat(file(workspace, ONE)).doesNotExist();
      assertThat(own.getParent()).doesNotExist();
      assertThat(below).exists();
      assertThat(output.resolve(".fairlead/lock")).exists();
      assertThat(others).exists();
      assertThat(outside).exists();
      commit(workspace, ONE);
    } finally {
      Files.delete(outside);
    }
  }

  @Test
  void canBeOpenedAnewThoughTheJournalIsDamaged() throws IOException {
    try (Workspace workspace = Workspace.open(output)) {
      workspace.journal().append(new JournalEntry.Begun(PLAN));
    }
    Files.writeString(output.resolve(".fairlead/journal"), "nonsense\nand more\n");

    assertThatExceptionOfType(CorruptJournal.class).isThrownBy(() -> Workspace.open(output));
    try (Workspace workspace = Workspace.openAnew(output)) {
      assertThat(workspace.standing(PLAN)).isInstanceOf(Workspace.Standing.Fresh.class);
    }
  }

  @Test
  void hasOneWriter() {
    Path same = output.resolve("../" + output.getFileName());
    try (Workspace workspace = Workspace.open(output)) {
      assertThat(workspace.output()).isEqualTo(output);
      assertThatExceptionOfType(OutputLock.Busy.class)
          .isThrownBy(() -> Workspace.open(same))
          .withMessageContaining(same.toString())
          .withMessageContaining("another job of this process");
    }
    try (Workspace workspace = Workspace.open(same)) {
      assertThat(workspace.standing(PLAN)).isInstanceOf(Workspace.Standing.Fresh.class);
    }
  }

  @Test
  void theFilesOfTwoDevicesDoNotMeetWhateverTheirIds() {
    List<String> ids =
        List.of("cpu:0", "cpu-0", "cpu+0", "cpu_3a0", "../x", "a/b", "GPU-5f0c", "ü");
    try (Workspace workspace = Workspace.open(output)) {
      List<Path> files = ids.stream().map(id -> workspace.chunkFile(ONE, DeviceId.of(id))).toList();

      assertThat(files)
          .doesNotHaveDuplicates()
          .allMatch(file -> workspace.chunkDirectory("720p").equals(file.getParent()))
          .allMatch(file -> file.getFileName().toString().matches("000001-[A-Za-z0-9._+-]+"))
          .contains(workspace.chunkDirectory("720p").resolve("000001-cpu+0.chunk"));
    }
  }

  @Test
  void unitsAreNamedAlikeInEveryRun() {
    assertThat(ONE).hasToString("720p/000001");
    assertThat(UnitId.parse("720p-2/123456789")).isEqualTo(new UnitId("720p-2", 123_456_789));
    assertThatIllegalArgumentException().isThrownBy(() -> UnitId.parse("720p/1"));
    assertThatIllegalArgumentException().isThrownBy(() -> new UnitId("../x", 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new UnitId("..", 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new UnitId("720p", -1));
  }

  private static Path file(Workspace workspace, UnitId unit) {
    return workspace.chunkFile(unit, DeviceId.of("cpu:0"));
  }

  private static void commit(Workspace workspace, UnitId unit) {
    Path file = file(workspace, unit);
    workspace.commit(
        unit,
        file,
        ChunkFile.write(file, TestingSamples.header(unit), TestingSamples.of(unit.chunk(), 3)));
  }
}
