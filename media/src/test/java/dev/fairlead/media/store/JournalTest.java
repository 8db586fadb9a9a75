package dev.fairlead.media.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.fairlead.device.DeviceId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
  private static final long SEED = Long.getLong("fairlead.seed", 7_919);
  private static final int ROUNDS = Boolean.getBoolean("fairlead.full") ? 50 : 5;

  @TempDir Path directory;

  @Test
  void replaysToAPrefixWhereverItIsCut() throws IOException {
    for (long seed = SEED; seed < SEED + ROUNDS; seed++) {
      List<JournalEntry> entries = write(new SplittableRandom(seed), 12);
      byte[] bytes = Files.readAllBytes(file());
      int before = 0;
      for (int length = 0; length <= bytes.length; length += 1 + length / 100) {
        Files.write(file(), Arrays.copyOf(bytes, length));
        List<JournalEntry> read = Journal.entries(directory);
        assertThat(read)
            .as("cut to %d of %d, seed %d", length, bytes.length, seed)
            .isEqualTo(entries.subList(0, read.size()))
            .hasSizeGreaterThanOrEqualTo(before);
        before = read.size();
      }
      Files.write(file(), bytes);
      assertThat(Journal.entries(directory)).isEqualTo(entries);
      Files.delete(file());
    }
  }

  @Test
  void goesOnAfterALineThatWasCutOff() throws IOException {
    List<JournalEntry> entries = write(new SplittableRandom(SEED), 5);
    byte[] bytes = Files.readAllBytes(file());
    Files.write(file(), Arrays.copyOf(bytes, bytes.length - 1));

    try (Journal journal = Journal.open(directory)) {
      journal.append(new JournalEntry.Finished());
    }

    List<JournalEntry> expected = new ArrayList<>(entries.subList(0, 4));
    expected.add(new JournalEntry.Finished());
    assertThat(Journal.entries(directory)).isEqualTo(expected);
  }

  /** Entries of before named devices by their labels, and files by those. */
  @Test
  void anOlderJournalIsGoneOnWith() throws IOException {
    UnitId unit = new UnitId("720p", 1);
    Path chunk = directory.resolve("chunks/720p/000001-cuda-0.chunk");
    Files.createDirectories(chunk.getParent());
    Files.write(chunk, new byte[7]);
    String text = "";
    String before = JournalText.FIRST;
    for (String rest :
        List.of(
            "begun\t",
            "started\t720p/000001\tcuda:0\t1",
            "committed\t720p/000001\tchunks/720p/000001-cuda-0.chunk\t60\t7\t00")) {
      String line = JournalText.checksum(before, rest) + "\t" + rest;
      text += line + "\n";
      before = JournalText.checksumOf(line);
    }
    Files.writeString(file(), text);

    try (Journal journal = Journal.open(directory)) {
      journal.append(new JournalEntry.Started(unit, DeviceId.of("GPU-5f0c"), 2));
      assertThat(journal.state().committed()).containsOnlyKeys(unit);
      assertThat(journal.state().lost()).isEmpty();
    }
  }

  @Test
  void dropsALastLineOfZeros() throws IOException {
    List<JournalEntry> entries = write(new SplittableRandom(SEED), 5);
    byte[] bytes = Files.readAllBytes(file());
    Files.write(file(), Arrays.copyOf(bytes, bytes.length + 100));

    assertThat(Journal.entries(directory)).isEqualTo(entries);
  }

  @Test
  void saysWhichLineIsDamagedIfItIsNotTheLast() throws IOException {
    write(new SplittableRandom(SEED), 9);
    List<String> lines = Files.readAllLines(file());

    List<String> changed = new ArrayList<>(lines);
    changed.set(2, lines.get(2) + "x");
    checkCorrupt(changed, "Line 3 of ");
    List<String> missing = new ArrayList<>(lines);
    missing.remove(4);
    checkCorrupt(missing, "Line 5 of ");
    List<String> doubled = new ArrayList<>(lines);
    doubled.add(3, lines.get(2));
    checkCorrupt(doubled, "Line 4 of ");
  }

  @Test
  void isNotWrittenAfterItsClose() {
    Journal journal = Journal.open(directory);
    journal.close();

    assertThatIllegalStateException()
        .isThrownBy(() -> journal.append(new JournalEntry.Finished()))
        .withMessageContaining(file().toString());
  }

  @Test
  void outlivesTheInterruptionOfAThreadThatWrites() throws InterruptedException {
    try (Journal journal = Journal.open(directory)) {
      Thread writer =
          Thread.ofVirtual()
              .start(() -> {
                Thread.currentThread().interrupt();
                journal.append(new JournalEntry.Promise("720p", "1", "1"));
              });
      writer.join();
      journal.append(new JournalEntry.Finished());
    }
    assertThat(Journal.entries(directory)).hasSize(2);
  }

  @Test
  void takesEntriesFromManyThreads() throws InterruptedException {
    try (Journal journal = Journal.open(directory)) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        UnitId unit = new UnitId("720p", i);
        threads.add(
            Thread.ofVirtual()
                .start(() -> {
                  for (int attempt = 1; attempt <= 20; attempt++) {
                    journal.append(new JournalEntry.Started(unit, DeviceId.of("cpu:0"), attempt));
                  }
                }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(journal.state().attempts(new UnitId("720p", 7))).isEqualTo(20);
    }
    assertThat(Journal.entries(directory)).hasSize(160);
  }

  private void checkCorrupt(List<String> lines, String message) throws IOException {
    Files.write(file(), lines);
    assertThatExceptionOfType(CorruptJournal.class)
        .isThrownBy(() -> Journal.open(directory))
        .withMessageContaining(message)
        .withMessageContaining(file().toString());
  }

  private List<JournalEntry> write(SplittableRandom random, int count) {
    List<JournalEntry> entries = new ArrayList<>();
    try (Journal journal = Journal.open(directory)) {
      for (int i = 0; i < count; i++) {
        JournalEntry entry = TestingEntries.any(random);
        journal.append(entry);
        entries.add(entry);
      }
    }
    return entries;
  }

  private Path file() {
    return directory.resolve(Journal.FILE_NAME);
  }
}
