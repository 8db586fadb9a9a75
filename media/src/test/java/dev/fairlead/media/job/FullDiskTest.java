package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.TestingClips;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A disk that is full ends the job with a clear error, and the same request goes on when there is
 * room. The disk is a real one, in memory; where no disk may be mounted, files may not grow
 * instead.
 */
class FullDiskTest {
  private static final String SCRIPT =
      """
      how=$1 kilobytes=$2 disk=$3 kept=$4
      shift 4
      mkdir -p "$disk"
      if [ "$how" = mount ]; then
        mount -t tmpfs -o size="${kilobytes}k" tmpfs "$disk" || exit 1
        "$@"
        first=$?
        find "$disk" -name '*.m3u8' >"$kept/early"
        mount -o remount,size=64m "$disk"
      else
        (ulimit -f $((kilobytes / 4)) && "$@")
        first=$?
        find "$disk" -name '*.m3u8' >"$kept/early"
      fi
      "$@"
      echo "$first $?" >"$kept/codes"
      cp -r "$disk/out" "$kept/out"
      """;

  private static final String FULL = ".*: (no space is left on its disk|File too large).*";

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(ints = {24, 64, 160})
  void theJobEndsWithAnErrorAndGoesOnWhenThereIsRoom(int kilobytes) throws Exception {
    Path calm = directory.resolve("calm");
    TestingJobs.run(TestingJobs.request(TestingClips.usual(), calm), "cpu:2");
    Path kept = Files.createDirectory(directory.resolve("kept"));
    Path disk = directory.resolve("disk");
    Path log = directory.resolve("log");
    List<String> command = new ArrayList<>();
    boolean mounts = mayMount();
    if (mounts) {
      command.addAll(List.of("unshare", "-rm"));
    }
    command.addAll(List.of("sh", "-c", SCRIPT, "sh", mounts ? "mount" : "limit"));
    command.add(String.valueOf(kilobytes));
    command.addAll(List.of(disk.toString(), kept.toString()));
    command.addAll(TestingJobProcess.command(TestingClips.usual(), disk.resolve("out")));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();

    assertThat(kept.resolve("codes")).as(Files.readString(log)).hasContent("6 0");
    assertThat(kept.resolve("early")).as("playlists on the full disk").isEmptyFile();
    assertThat(Files.readString(log).lines())
        .as("what is full, and where")
        .anyMatch(line -> line.contains(disk + "/out") && line.matches(FULL))
        .noneMatch(line -> line.contains("Exception:"));
    assertThat(TestingJobs.hashes(kept.resolve("out"))).isEqualTo(TestingJobs.hashes(calm));
  }

  private static boolean mayMount() throws Exception {
    return new ProcessBuilder("unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/tmp")
            .start()
            .waitFor()
        == 0;
  }
}
