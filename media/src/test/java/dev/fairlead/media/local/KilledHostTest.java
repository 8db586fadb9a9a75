package dev.fairlead.media.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.job.TestingJobs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A host that is killed with five jobs in flight goes on with all of them. */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class KilledHostTest {
  private static final int KILLS = Boolean.getBoolean("fairlead.full") ? 20 : 2;
  private static final long SEED = Long.getLong("fairlead.seed", 31);
  private static final long PATIENCE_SECONDS = 120;
  private static final String PICTURE = "-f lavfi -i testsrc2=s=320x180:r=25 -t 6 ";
  private static final String SOUND = "-f lavfi -i sine=f=440:r=48000 ";
  private static final int UNITS_EACH = 6;

  @TempDir private Path directory;

  private List<Path> sources() throws IOException {
    Path half =
        TestingClips.clip(
            "killed-half.ts",
            SOUND.replace("-i", "-t 3 -i")
                + "-f lavfi -i testsrc2=s=320x180:r=25 -t 3 -c:v mpeg2video -bf 2 -g 15 -c:a mp2");
    byte[] once = Files.readAllBytes(half);
    byte[] twice = new byte[2 * once.length];
    System.arraycopy(once, 0, twice, 0, once.length);
    System.arraycopy(once, 0, twice, once.length, once.length);
    return List.of(
        TestingClips.usual(),
        TestingClips.clip("killed-b.mkv", PICTURE + "-c:v mpeg4 -bf 2 -g 37 -b:v 400k"),
        TestingClips.clip(
            "killed-fields.mkv",
            PICTURE + "-vf setfield=tff -flags +ildct+ilme -c:v mpeg2video -g 17 -bf 2 -b:v 1M"),
        TestingClips.clip(
            "killed.ts", PICTURE + SOUND + "-t 6 -c:v mpeg2video -bf 2 -g 15 -c:a mp2 -shortest"),
        Files.write(directory.resolve("restarting.ts"), twice));
  }

  private static List<String> committed(Path out) throws IOException {
    Path file = TestingManyJobsProcess.committed(out);
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  /** Waits until so many more chunks are committed; false if the process ends before. */
  private static boolean awaitCommits(Process process, Path out, int more) throws Exception {
    int before = committed(out).size();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (committed(out).size() < before + more) {
      if (process.waitFor(20, TimeUnit.MILLISECONDS)) {
        return false;
      }
      assertThat(System.nanoTime() - end).as("time until chunks are committed").isNegative();
    }
    return true;
  }

  /** Kills a process, whose workers end by themselves. */
  private static void kill(Process process) throws Exception {
    List<ProcessHandle> workers = process.descendants().toList();
    process.destroyForcibly().waitFor();
    for (ProcessHandle worker : workers) {
      worker.onExit().get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void allJobsGoOnAndNoCommittedChunkIsEncodedAgain() throws Exception {
    List<Path> sources = sources();
    Path calm = Files.createDirectory(directory.resolve("calm"));
    TestingManyJobsProcess.run(calm, sources);
    assertThat(committed(calm)).hasSize(UNITS_EACH * sources.size());

    SplittableRandom random = new SplittableRandom(SEED);
    int round = 0;
    Path out = Files.createDirectory(directory.resolve("out" + round));
    for (int kill = 0; kill < KILLS; kill++) {
      Process process = TestingManyJobsProcess.start(out, sources);
      try {
        if (!awaitCommits(process, out, 1 + random.nextInt(8))) {
          assertThat(process.exitValue()).as("seed %d, kill %d", SEED, kill).isZero();
          assertSame(out, calm, sources);
          out = Files.createDirectory(directory.resolve("out" + ++round));
        }
      } finally {
        kill(process);
      }
    }
    Process last = TestingManyJobsProcess.start(out, sources);
    try {
      assertThat(last.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(last.exitValue()).as(Files.readString(out.resolve("log"))).isZero();
    } finally {
      kill(last);
    }
    assertSame(out, calm, sources);
  }

  private static void assertSame(Path out, Path calm, List<Path> sources) throws Exception {
    assertThat(committed(out)).as("seed %d: chunks committed", SEED).doesNotHaveDuplicates();
    for (Path source : sources) {
      assertThat(TestingJobs.hashes(TestingManyJobsProcess.output(out, source)))
          .as("seed %d: %s", SEED, source)
          .isEqualTo(TestingJobs.hashes(TestingManyJobsProcess.output(calm, source)));
    }
  }
}
