package dev.fairlead.service.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.records.DirectoryRecords;
import dev.fairlead.media.records.JobId;
import dev.fairlead.media.records.JobLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/**
 * What a service goes on from, whichever step was the last on the disk. Steps are brought to the
 * disk one after the other, so a crash between two leaves what the first of them has written and
 * nothing of the second: the test takes that away, and starts the service.
 */
class CrashPointsTest {
  @TempDir static Path shared;

  /** A job that is done, and what its service keeps. */
  private static Path done;

  private static String id;
  private static Map<String, ByteBuffer> calm;

  @BeforeAll
  static void make() throws Exception {
    done = shared.resolve("done");
    try (TestingService service = TestingService.open(done)) {
      id =
          service.submit(
              """
              {"input":"%s","name":"A film",
               "options":{"ladder":"160x90","segment":"1","preset":11}}
              """
                  .formatted(service.clip(3)));
      service.follow("/v1/jobs/" + id + "/events", "done");
    }
    calm = files(output(done));
  }

  private static Path output(Path directory) {
    return directory.resolve("data/packages").resolve(id);
  }

  private static Path log(Path directory) {
    return directory.resolve("data/records/jobs").resolve(id);
  }

  /** The last step that is on the disk. */
  enum Point {
    ENTRY_OF_THE_LOG {
      @Override
      void crash(Path now) throws IOException {
        REMOVED_INDEX.crash(now);
        delete(output(now));
        for (Path entry : list(log(now))) {
          if (!entry.endsWith("000000000")) {
            Files.delete(entry);
          }
        }
      }
    },
    FINISHED_IN_THE_JOURNAL {
      @Override
      void crash(Path now) throws IOException {
        FACTS_IN_THE_LOG.crash(now);
        Files.delete(list(log(now)).getLast());
      }
    },
    FACTS_IN_THE_LOG {
      @Override
      void crash(Path now) throws IOException {
        END_IN_THE_LOG.crash(now);
        Files.delete(log(now).resolve("end"));
      }
    },
    END_IN_THE_LOG {
      @Override
      void crash(Path now) throws IOException {
        REMOVED_INDEX.crash(now);
      }
    },
    ROW_IN_THE_INDEX {
      @Override
      void crash(Path now) {}
    },
    REMOVED_INDEX {
      @Override
      void crash(Path now) throws IOException {
        for (Path file : list(now.resolve("data"))) {
          if (file.getFileName().toString().startsWith("index.sqlite")) {
            Files.delete(file);
          }
        }
      }
    },
    OPENED_AGAIN {
      @Override
      void crash(Path now) {
        JobLog.of(DirectoryRecords.open(now.resolve("data/records")), new JobId(id)).reopen();
      }
    };

    abstract void crash(Path now) throws IOException;
  }

  @ParameterizedTest
  @EnumSource
  void aJobIsThereAndEndsOnceAndNothingIsDoneAgain(Point point) throws Exception {
    // Where it was: logs name files in full.
    Path now = done;
    Path before = shared.resolve("before-" + point);
    copy(now, before);
    point.crash(now);
    try (TestingService service = TestingService.open(now)) {
      service.follow("/v1/jobs/" + id + "/events", "done");
      JsonNode jobs = service.get("/v1/jobs").get("jobs");
      assertThat(jobs.size()).isEqualTo(1);
      assertThat(jobs.get(0).get("name").asString()).isEqualTo("A film");
      assertThat(service.mishaps).isEmpty();
    }
    assertThat(files(output(now))).isEqualTo(calm);
    requireNoChunkTwice(now);
    long ends = list(log(now)).stream().filter(file -> file.toString().contains("/end")).count();
    assertThat(ends).isEqualTo(point == Point.OPENED_AGAIN ? 2 : 1);
    delete(now);
    copy(before, now);
  }

  @Test
  void aJobThatIsHalfDeletedIsGone() throws Exception {
    Path before = shared.resolve("before-deletion");
    copy(done, before);
    delete(output(done));
    Files.delete(log(done).resolve("000000000"));
    try (TestingService service = TestingService.open(done)) {
      assertThat(service.get("/v1/jobs").get("jobs").size()).isZero();
      assertThat(service.send(service.request("/v1/jobs/" + id).build()).statusCode())
          .isEqualTo(404);
    }
    assertThat(log(done)).doesNotExist();
    delete(done);
    copy(before, done);
  }

  private static void requireNoChunkTwice(Path now) throws IOException {
    Set<String> committed = new HashSet<>();
    for (String line : Files.readAllLines(output(now).resolve(".fairlead/journal"))) {
      String[] values = line.split("\t", -1);
      if (values[1].equals("committed")) {
        committed.add(values[2]);
      } else if (values[1].equals("started")) {
        assertThat(committed).doesNotContain(values[2]);
      }
    }
    assertThat(committed).isNotEmpty();
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }

  private static Map<String, ByteBuffer> files(Path output) throws IOException {
    Map<String, ByteBuffer> all = new TreeMap<>();
    try (Stream<Path> walk = Files.walk(output)) {
      for (Path file : walk.filter(Files::isRegularFile).toList()) {
        Path name = output.relativize(file);
        if (!name.startsWith(".fairlead")) {
          all.put(name.toString(), ByteBuffer.wrap(Files.readAllBytes(file)));
        }
      }
    }
    return all;
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> walk = Files.walk(directory)) {
      for (Path each : walk.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> walk = Files.walk(from)) {
      for (Path each : walk.toList()) {
        Files.copy(each, to.resolve(from.relativize(each)), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }
}
