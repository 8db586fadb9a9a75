package dev.fairlead.media.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DirectoryRecordsTest {
  private static final long SEED = Long.getLong("fairlead.seed", 7_919);
  private static final int NAMES = Boolean.getBoolean("fairlead.full") ? 2_000 : 200;
  private static final int RACERS = 4;

  @TempDir private Path root;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String name(long number) {
    return "jobs/a/" + RecordName.number(number);
  }

  private List<String> drafts() throws IOException {
    try (Stream<Path> files = Files.list(root.resolve(".tmp"))) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Test
  void anEntryIsCreatedOnceAndNeverChanged() throws Exception {
    Records records = DirectoryRecords.open(root);
    assertThat(records.create(name(0), bytes("one"))).isEqualTo(Records.Owner.MINE);
    assertThat(records.create(name(0), bytes("two"))).isEqualTo(Records.Owner.THEIRS);
    assertThat(records.read(name(0))).hasValue(bytes("one"));
    assertThat(records.read(name(1))).isEmpty();
    assertThat(drafts()).isEmpty();
  }

  @Test
  void entriesAreListedInTheirOrderWithThoseOfLogsBelow() {
    Records records = DirectoryRecords.open(root);
    records.create("jobs/b/000000000", bytes("b"));
    records.create(name(0), bytes("a"));
    for (long number = 12; number > 0; number--) {
      records.create(name(number), bytes("a"));
    }
    assertThat(records.list("jobs")).hasSize(14).isSorted().contains("jobs/b/000000000");
    assertThat(records.list("jobs/a")).hasSize(13).first().isEqualTo(name(0));
    assertThat(records.list("none")).isEmpty();
  }

  @Test
  void aLogThatWasDeletedIsNotBroughtBackByALateWriter() {
    Records records = DirectoryRecords.open(root);
    records.create(name(0), bytes("first"));
    records.delete(name(0));
    records.delete(name(0));
    assertThatExceptionOfType(Records.Gone.class)
        .isThrownBy(() -> records.create(name(1), bytes("late")))
        .withMessageContaining("jobs/a");
    assertThat(root.resolve("jobs/a")).doesNotExist();
  }

  @Test
  void namesCannotLeaveTheDirectory() {
    Records records = DirectoryRecords.open(root);
    for (String bad : List.of("a", "../a/b", "/a/b", "a//b", "a/.tmp", "a/b/..", "")) {
      assertThatThrownBy(() -> records.create(bad, new byte[0]))
          .as(bad)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void ofThreadsThatRaceForANameOneWinsAndAllReadTheSame() throws Exception {
    Records records = DirectoryRecords.open(root);
    records.create(name(0), bytes("first"));
    CyclicBarrier together = new CyclicBarrier(RACERS);
    try (ExecutorService threads = Executors.newFixedThreadPool(RACERS)) {
      List<Future<Map<Long, Records.Owner>>> races = new ArrayList<>();
      for (int racer = 0; racer < RACERS; racer++) {
        String self = "racer " + racer;
        races.add(
            threads.submit(() -> {
              Map<Long, Records.Owner> seen = new HashMap<>();
              for (long number = 1; number <= NAMES; number++) {
                together.await(1, TimeUnit.MINUTES);
                seen.put(number, records.create(name(number), bytes(self)));
              }
              return seen;
            }));
      }
      for (long number = 1; number <= NAMES; number++) {
        List<String> winners = new ArrayList<>();
        for (int racer = 0; racer < RACERS; racer++) {
          if (races.get(racer).get().get(number) == Records.Owner.MINE) {
            winners.add("racer " + racer);
          }
        }
        assertThat(winners).as(name(number)).hasSize(1);
        assertThat(records.read(name(number))).hasValue(bytes(winners.getFirst()));
      }
    }
    assertThat(drafts()).isEmpty();
  }

  /** Where the power goes before a step, the name is there whole, or not at all. */
  @ParameterizedTest
  @EnumSource(DirectoryRecords.Step.class)
  void whereAWriterStopsTheNameIsThereWholeOrNotAtAll(DirectoryRecords.Step last) {
    Records records = DirectoryRecords.open(root);
    records.create(name(0), bytes("first"));
    List<DirectoryRecords.Step> seen = new ArrayList<>();
    DirectoryRecords dying =
        new DirectoryRecords(
            root,
            step -> {
              seen.add(step);
              if (step == last) {
                throw new IllegalStateException("the power goes");
              }
            });
    assertThatThrownBy(() -> dying.create(name(1), bytes("second")))
        .isInstanceOf(IllegalStateException.class);
    assertThat(seen)
        .as("content, then the name, then the directory")
        .containsExactly(
            Stream.of(DirectoryRecords.Step.values())
                .filter(step -> step.compareTo(last) <= 0)
                .toArray(DirectoryRecords.Step[]::new));
    boolean linked = last.compareTo(DirectoryRecords.Step.LINK) > 0;
    assertThat(records.list("jobs/a")).hasSize(linked ? 2 : 1);
    assertThat(records.create(name(1), bytes("other")))
        .isEqualTo(linked ? Records.Owner.THEIRS : Records.Owner.MINE);
    assertThat(records.read(name(1))).hasValue(bytes(linked ? "second" : "other"));
  }

  /** What the loser is told may be told to others: it must be as durable as the winner's answer. */
  @Test
  void theLoserBringsTheNameToTheDiskToo() {
    DirectoryRecords.open(root).create(name(0), bytes("first"));
    List<DirectoryRecords.Step> seen = new ArrayList<>();
    new DirectoryRecords(root, seen::add).create(name(0), bytes("late"));
    assertThat(seen).containsExactly(DirectoryRecords.Step.values());
  }

  @Test
  void writersThatAreKilledLoseNothingThatTheySaidAndLeaveNothingHalf() throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    Map<String, String> said = new HashMap<>();
    DirectoryRecords.open(root).create(name(0), bytes("first"));
    for (int round = 0; round < 3; round++) {
      List<Process> writers = new ArrayList<>();
      for (int writer = 0; writer < 2; writer++) {
        writers.add(TestingRecordWriter.start(root, "writer-%d-%d".formatted(round, writer)));
      }
      for (Process process : writers) {
        List<String> lines = new ArrayList<>();
        try (BufferedReader reader = process.inputReader()) {
          int enough = 5 + random.nextInt(30);
          while (lines.size() < enough) {
            lines.add(reader.readLine());
          }
          process.toHandle().destroyForcibly();
          assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
          reader.lines().forEach(lines::add);
        }
        for (String line : lines) {
          String[] parts = line.split(" ", -1);
          assertThat(said.put(parts[0], parts[1])).as("one winner of %s", parts[0]).isNull();
        }
      }
    }
    Records records = DirectoryRecords.open(root);
    said.forEach((name, content) ->
        assertThat(records.read(name)).as("seed %d, %s", SEED, name).hasValue(bytes(content)));
    for (String name : records.list("jobs/a")) {
      assertThat(new String(records.read(name).orElseThrow(), StandardCharsets.UTF_8))
          .as("seed %d, %s", SEED, name)
          .matches("first|writer-\\d-\\d");
    }
    new DirectoryRecords(root, step -> {}).clear(Instant.now().plusSeconds(1));
    assertThat(drafts()).isEmpty();
  }
}
