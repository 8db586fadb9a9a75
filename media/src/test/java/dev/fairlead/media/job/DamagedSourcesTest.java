package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.TestingFfmpeg;
import dev.fairlead.media.plan.AudioMode;
import dev.fairlead.media.plan.LadderSpec;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.store.Workspace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Damaged files become a package that plays, or are refused with a line that says why; whatever
 * they hold, nothing hangs and nothing is left behind. Real clips are damaged too where there are
 * any.
 *
 * <p>{@code -Dfairlead.seed=N} draws other damage; {@code -Dfairlead.clip=NAME} and {@code
 * -Dfairlead.case=N} try one clip and one case alone, as a failure names them. What failed is kept
 * in {@code target/damaged}.
 */
class DamagedSourcesTest {
  private static final long SEED = Long.getLong("fairlead.seed", 7_919);
  private static final int CASES = Boolean.getBoolean("fairlead.full") ? 2_000 : 60;
  private static final String ONLY_CLIP = System.getProperty("fairlead.clip", "");
  private static final int ONLY_CASE = Integer.getInteger("fairlead.case", -1);
  private static final Path REAL = Path.of("../../shared/media");
  private static final Path KEPT = Path.of("target/damaged");
  private static final int LIMIT_SECONDS = 150;

  @TempDir private Path directory;
  private final List<String> wrong = new ArrayList<>();
  private final List<Throwable> uncaught = Collections.synchronizedList(new ArrayList<>());

  static List<Path> chosen() throws Exception {
    return clips().stream().filter(clip -> clip.toString().endsWith(ONLY_CLIP)).toList();
  }

  private static List<Path> clips() throws Exception {
    String both = "-f lavfi -i testsrc2=s=160x90:r=25 -f lavfi -i sine=f=440:r=48000 -t 1 ";
    List<Path> clips =
        new ArrayList<>(
            List.of(
                TestingClips.clip("d.mp4", both + "-c:v libopenh264 -c:a aac"),
                TestingClips.clip("d.mkv", both + "-c:v libopenh264 -g 10 -c:a ac3"),
                TestingClips.clip("d.ts", both + "-c:v mpeg2video -bf 2 -c:a mp2"),
                TestingClips.clip(
                    "d.webm", both + "-c:v libvpx-vp9 -b:v 100k -cpu-used 8 -c:a libopus"),
                TestingClips.clip("d.avi", both + "-c:v mpeg4 -c:a mp3"),
                TestingClips.clip("d.av1.mp4", both + "-c:v libsvtav1 -preset 13 -c:a libopus"),
                TestingClips.clip(
                    "d.frag.mp4",
                    both + "-c:v libopenh264 -c:a aac -movflags +frag_keyframe+empty_moov")));
    if (Files.isDirectory(REAL)) {
      try (Stream<Path> files = Files.list(REAL)) {
        files
            .filter(file -> file.toString().matches(".*\\.(mp4|webm|ts|avi)"))
            .sorted()
            .forEach(clips::add);
      }
    }
    return clips;
  }

  @ParameterizedTest
  @MethodSource("chosen")
  void aDamagedFileIsMadeOrRefusedAndNothingIsLeft(Path clip) throws Exception {
    byte[] whole = Files.readAllBytes(clip);
    int cases = Math.ceilDiv(CASES, clips().size());
    TestingDamage[] damages = TestingDamage.values();
    SplittableRandom random = new SplittableRandom(SEED + clip.getFileName().toString().hashCode());
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> uncaught.add(thrown));
    try {
      for (int i = 0; i < cases; i++) {
        TestingDamage damage = damages[random.nextInt(damages.length)];
        SplittableRandom its = random.split();
        byte[] damaged = damage.to(whole, its);
        if (its.nextInt(4) == 0) {
          damaged = damaged.length > 100 ? TestingDamage.FLIPS.to(damaged, its) : damaged;
        }
        if (ONLY_CASE >= 0 && i != ONLY_CASE) {
          continue;
        }
        Path source = directory.resolve("damaged-" + clip.getFileName());
        Files.write(source, damaged);
        wrong(source, i, "seed %d, case %d, %s of %s".formatted(SEED, i, damage, clip));
      }
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
    assertThat(wrong).isEmpty();
  }

  /** Tries all cases, whatever is wrong with one. */
  private void wrong(Path source, int number, String what) throws Exception {
    try {
      tryOut(source, number, what);
    } catch (AssertionError failure) {
      Throwable cause = failure.getCause() == null ? failure : failure.getCause();
      wrong.add(failure.getMessage() + ": " + cause);
      Files.createDirectories(KEPT);
      Files.copy(
          source,
          KEPT.resolve(number + "-" + source.getFileName()),
          StandardCopyOption.REPLACE_EXISTING);
      TestingFiles.delete(directory.resolve("out"));
    }
  }

  private void tryOut(Path source, int number, String what) throws Exception {
    Path output = directory.resolve("out");
    boolean encodes = number % 2 == 0;
    TranscodeRequest request =
        TestingJobs.request(source, output)
            .withLadder(LadderSpec.parse("96x54"))
            .withAudio(encodes ? AudioMode.OPUS : AudioMode.AUTO);
    FutureTask<TranscodeResult> run = new FutureTask<>(() -> TestingJobs.run(request, "cpu:1"));
    Thread.ofPlatform().daemon().start(run);
    try {
      TranscodeResult result = run.get(LIMIT_SECONDS, TimeUnit.SECONDS);
      decodes(result.rungs().getFirst().manifest());
      if (encodes) {
        for (Path playlist : playlists(output)) {
          TestingFfmpeg.decodesCleanly(playlist);
        }
      }
    } catch (TimeoutException hung) {
      throw new AssertionError("Hangs: " + what, hung);
    } catch (AssertionError wrong) {
      throw new AssertionError("Does not play: " + what, wrong);
    } catch (ExecutionException failed) {
      Throwable cause = failed.getCause();
      if (!(cause instanceof TranscodeException.Unreadable)
          && !(cause instanceof TranscodeException.GaveUp)) {
        throw new AssertionError("Neither 3 nor 5: " + what, cause);
      }
      assertThat(cause.getMessage()).as(what).isNotBlank().hasLineCount(1);
      assertThat(output.resolve("master.m3u8")).as(what).doesNotExist();
    }
    assertThat(uncaught).as(what).isEmpty();
    assertThat(ProcessHandle.current().children().filter(DamagedSourcesTest::isWorker))
        .as(what)
        .isEmpty();
    Workspace.open(output).close();
    assertThat(left(output)).as(what).isEmpty();
    TestingFiles.delete(output);
  }

  /** Every picture can be decoded, at whatever times the damage has left them. */
  private static void decodes(Path manifest) {
    TestingFfmpeg.ffmpeg(
        "-i",
        manifest.toString(),
        "-fps_mode",
        "passthrough",
        "-enc_time_base",
        "demux",
        "-f",
        "rawvideo",
        "/dev/null");
  }

  private static boolean isWorker(ProcessHandle child) {
    return child.isAlive() && child.info().commandLine().orElse("").contains("WorkerMain");
  }

  private static List<Path> playlists(Path output) throws Exception {
    try (Stream<Path> files = Files.walk(output, 2)) {
      return files.filter(file -> file.toString().matches(".*/audio[^/]*/index\\.m3u8")).toList();
    }
  }

  /** What is not complete. */
  private static List<Path> left(Path output) throws Exception {
    try (Stream<Path> files = Files.walk(output)) {
      return files
          .map(output::relativize)
          .filter(file -> file.toString().matches(".*(\\.tmp|\\.part)|\\.fairlead/tmp/.+"))
          .toList();
    }
  }
}
