package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.gpu.TestingNvidia;
import dev.fairlead.media.gpu.TestingNvidia.Entry;
import dev.fairlead.media.job.TestingCardsJob.Machine;
import dev.fairlead.media.job.TestingCardsJob.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a job on doubles of cards has left: its files, what it said, and the books of the host, in
 * which everything is counted that was copied.
 */
record TestingFrames(Path output, String said, TestingNvidia host) {
  private static final Pattern UNIT = Pattern.compile("(began|ended) (\\w+)/(\\d+) on ([\\w:]+)");

  /** Runs a job, which is to come to a good end without any misuse of its cards. */
  static TestingFrames run(Machine machine, Work work) throws Exception {
    Process job = TestingCardsJob.start(machine, work);
    int code = end(job);
    String said =
        Files.readString(work.output().resolveSibling(work.output().getFileName() + ".log"));
    assertThat(code).as(said).isZero();
    assertThat(machine.host().books())
        .extracting(Entry::event)
        .noneMatch(event -> event.startsWith("misuse"));
    return new TestingFrames(work.output(), said, machine.host());
  }

  static int end(Process job) throws InterruptedException {
    try {
      assertThat(job.waitFor(3, TimeUnit.MINUTES)).isTrue();
      return job.exitValue();
    } finally {
      job.destroyForcibly();
    }
  }

  /** Removes the books of a host. */
  static void remove(Path books) throws IOException {
    try (Stream<Path> all = Files.walk(books)) {
      for (Path each : all.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(each);
      }
    }
  }

  List<Entry> copies(String direction) {
    return copies(host.books(), direction);
  }

  private static List<Entry> copies(List<Entry> books, String direction) {
    return books.stream()
        .filter(entry -> entry.event().equals("plane-copied"))
        .filter(entry -> entry.value("direction").equals(direction))
        .toList();
  }

  /** Pictures of the source that were copied to cards; those of trials are smaller. */
  long uploads() {
    long largest = copies("up").stream().mapToLong(TestingFrames::bytes).max().orElse(0);
    return copies("up").stream().filter(entry -> bytes(entry) == largest).count();
  }

  /** Pictures that were copied one way since decoding began on a card; trials come before that. */
  long pictures(String direction, int card) {
    List<Entry> books = host.books();
    int begun = books.indexOf(host.books("decoder-opened").getFirst());
    List<Entry> planes =
        copies(books.subList(begun, books.size()), direction).stream()
            .filter(entry -> entry.card() == card)
            .toList();
    // Two planes each: brightness, and both colours.
    assertThat(planes.size() % 2).isZero();
    return planes.size() / 2;
  }

  List<String> pictures(String rung) {
    return TestingCardsJob.pictures(output.resolve(rung + "/index.m3u8"));
  }

  List<String> memory() {
    return host.books("session-pictures").stream()
        .map(entry -> entry.value("memory"))
        .distinct()
        .toList();
  }

  /** Chunks of which units began, or ended, on a device. */
  Set<Integer> chunks(String what, String device) {
    return UNIT.matcher(said)
        .results()
        .filter(found -> found.group(1).equals(what) && found.group(4).equals(device))
        .map(found -> Integer.valueOf(found.group(3)))
        .collect(Collectors.toSet());
  }

  static long bytes(Entry entry) {
    return Long.parseLong(entry.value("bytes"));
  }
}
