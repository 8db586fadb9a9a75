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
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Hosts with doubles of cards, each with books of its own, and jobs on them. */
final class TestingHosts implements AutoCloseable {
  private final Path books;

  private TestingHosts(Path books) {
    this.books = books;
  }

  static TestingHosts open() throws IOException {
    // A confined worker can write there.
    return new TestingHosts(Files.createTempDirectory(Path.of("/dev/shm"), "fairlead-cards"));
  }

  /** What a job has left: its files, what it said, and the books of the host. */
  record Ran(Path output, String said, TestingNvidia host) {
    int restarts() {
      return Integer.parseInt(said.strip().replaceFirst("(?s).*restarts ", ""));
    }

    List<Integer> cardsThatEncoded() {
      return host.books("session-closed").stream()
          .filter(entry -> !entry.value("pictures").equals("0"))
          .map(Entry::card)
          .distinct()
          .sorted()
          .toList();
    }
  }

  /** A host of four cards of NVIDIA that nothing has run on yet. */
  TestingNvidia host(String name) throws IOException {
    return TestingNvidia.in(Files.createDirectory(books.resolve(name)));
  }

  /** Render nodes of so many cards of VAAPI beside those of a host. */
  static List<Path> nodes(TestingNvidia host, int number) throws IOException {
    Path folder = Files.createDirectories(host.directory().resolve("dri"));
    List<Path> nodes =
        IntStream.range(0, number)
            .mapToObj(each -> folder.resolve("renderD" + (128 + each)))
            .toList();
    for (Path node : nodes) {
      Files.createFile(node);
    }
    return nodes;
  }

  /** Runs a job to its end, in which nothing may be called as it must not be. */
  Ran run(Machine machine, Work work) throws IOException, InterruptedException {
    Process job = TestingCardsJob.start(machine, work);
    try {
      assertThat(job.waitFor(3, TimeUnit.MINUTES)).isTrue();
    } finally {
      job.destroyForcibly();
    }
    String said =
        Files.readString(work.output().resolveSibling(work.output().getFileName() + ".log"));
    assertThat(job.exitValue()).as(said).isZero();
    assertThat(machine.host().books())
        .extracting(Entry::event)
        .noneMatch(event -> event.startsWith("misuse"));
    return new Ran(work.output(), said, machine.host());
  }

  @Override
  public void close() throws IOException {
    try (Stream<Path> all = Files.walk(books)) {
      for (Path each : all.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(each);
      }
    }
  }
}
