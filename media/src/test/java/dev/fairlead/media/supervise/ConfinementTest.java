package dev.fairlead.media.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfinementTest {
  @TempDir Path directory;
  private Path job;
  private Path home;

  @BeforeEach
  void twoFolders() throws IOException {
    job = Files.createDirectory(directory.resolve("job"));
    home = Files.createDirectory(directory.resolve("home"));
    Files.writeString(home.resolve("theirs"), "secret");
  }

  @Test
  void thisKernelCanConfine() {
    assertThat(Confinement.isPossible()).isTrue();
  }

  @Test
  void aWorkerWritesOnlyBelowItsJob() throws Exception {
    List<String> said = intrude(Confinement.to(List.of(), List.of(job)));

    assertThat(said)
        .contains(
            "wrote inside", "not: wrote outside", "not: changed a file", "not: deleted a file");
    assertThat(home.resolve("mine")).doesNotExist();
    assertThat(home.resolve("theirs")).content().isEqualTo("secret");
  }

  @Test
  void aWorkerReadsOnlyWhatItMust() throws Exception {
    assertThat(intrude(Confinement.to(List.of(), List.of(job)))).contains("not: read a file");
    assertThat(intrude(Confinement.to(List.of(home.resolve("theirs")), List.of(job))))
        .contains("read a file", "not: changed a file");
  }

  @Test
  void aWorkerReadsItsSourceThroughALink() throws Exception {
    Path link = Files.createSymbolicLink(directory.resolve("link"), home.resolve("theirs"));

    assertThat(intrude(Confinement.to(List.of(link), List.of(job)))).contains("read a file");
  }

  @Test
  void aWorkerReadsLibrariesWhereItsUserHasFurtherOnes() throws Exception {
    Confinement confinement = Confinement.to(List.of(), List.of(job));
    Map<String, String> searched = Map.of("LD_LIBRARY_PATH", "relative::" + home);

    List<String> said =
        intrude((command, log) -> {
          List<String> java = new ArrayList<>();
          java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
          java.addAll(List.of("-cp", System.getProperty("java.class.path")));
          java.addAll(command);
          return confinement.start(
              java, log, Confinement.classes(System.getProperty("java.class.path")), searched);
        });

    assertThat(said).contains("read a file", "not: changed a file", "not: wrote outside");
    assertThat(Confinement.libraries("relative::/a:/b/c"))
        .containsExactlyInAnyOrder(Path.of("/a"), Path.of("/b/c"));
  }

  @Test
  void aWorkerConnectsToNothingStartsNothingAndSignalsNobody() throws Exception {
    assertThat(intrude(Confinement.to(List.of(), List.of(job))))
        .contains("not: connected", "not: started a program", "not: signalled a process");
  }

  @Test
  void aWorkerSeesNothingOfTheEnvironmentThatItDoesNotNeed() throws Exception {
    assertThat(intrude(Confinement.to(List.of(), List.of(job))))
        .contains("saw SVT_LOG")
        .doesNotContain("saw PATH", "saw HOME", "saw USER", "saw JAVA_HOME");
  }

  @Test
  void noThreadOfTheParentIsConfinedWithItsWorkers() throws Exception {
    Confinement confinement = Confinement.to(List.of(), List.of(job));
    Set<String> confined = ConcurrentHashMap.newKeySet();
    List<Thread> callers = new ArrayList<>();
    List<Integer> codes = Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < 3; i++) {
      Path log = job.resolve("log" + i);
      callers.add(
          Thread.startVirtualThread(() -> {
            try {
              Process process =
                  WorkerJvm.start(
                      List.of(TestingIntruder.class.getName()),
                      Codecs.usual(),
                      log,
                      job,
                      confinement);
              confined.addAll(confinedThreads());
              process.destroyForcibly();
              codes.add(process.waitFor());
            } catch (IOException | InterruptedException failure) {
              throw new IllegalStateException(failure);
            }
          }));
    }
    for (Thread caller : callers) {
      assertThat(caller.join(Duration.ofSeconds(60))).isTrue();
    }

    assertThat(codes).containsExactly(137, 137, 137);
    confined.addAll(confinedThreads());
    assertThat(confined).isEmpty();
  }

  /** The threads of this process that have given up rights, but for those that start a worker. */
  private static List<String> confinedThreads() throws IOException {
    List<String> names = new ArrayList<>();
    try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
      for (Path thread : threads.toList()) {
        try {
          String status = Files.readString(thread.resolve("status"));
          String name = status.lines().findFirst().orElseThrow();
          if (status.contains("NoNewPrivs:\t1") && !name.startsWith("Name:\tfairlead starts")) {
            names.add(name);
          }
        } catch (IOException ended) {
          // threads come and go
        }
      }
    }
    return names;
  }

  private List<String> intrude(Confinement confinement) throws Exception {
    return intrude(
        (command, log) -> WorkerJvm.start(command, Codecs.usual(), log, job, confinement));
  }

  private interface Start {
    Process start(List<String> command, Path log) throws IOException;
  }

  private List<String> intrude(Start start) throws Exception {
    Path log = job.resolve("log");
    Files.deleteIfExists(log);
    InetAddress loopback = InetAddress.getLoopbackAddress();
    Process victim = new ProcessBuilder("sleep", "120").start();
    try (ServerSocket server = new ServerSocket(0, 1, loopback)) {
      Process process =
          start.start(
              List.of(
                  TestingIntruder.class.getName(),
                  job.toString(),
                  home.toString(),
                  String.valueOf(server.getLocalPort()),
                  String.valueOf(victim.pid())),
              log);
      try {
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      } finally {
        process.destroyForcibly();
      }
      List<String> said = Files.readAllLines(log);
      assertThat(process.exitValue()).as(() -> String.join("\n", said)).isZero();
      return said;
    } finally {
      victim.destroyForcibly();
    }
  }
}
