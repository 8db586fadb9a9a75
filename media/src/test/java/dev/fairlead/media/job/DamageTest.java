package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Discovery;
import dev.fairlead.media.TestingClips;
import dev.fairlead.media.TestingFfmpeg;
import dev.fairlead.media.local.LocalTranscodes;
import dev.fairlead.media.plan.LadderSpec;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.pool.DevicePool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A source of which something is missing is told of, and refused where that is asked for. */
class DamageTest {
  private static final String PICTURE = "-f lavfi -i testsrc2=s=160x90:r=25 ";

  @TempDir private Path directory;

  private final List<String> notices = Collections.synchronizedList(new ArrayList<>());

  private TranscodeResult run(Path source, boolean strict) throws Exception {
    TranscodeRequest request =
        TestingJobs.request(source, directory.resolve(strict ? "strict" : "out"))
            .withLadder(LadderSpec.parse("160x90"));
    try (DevicePool pool = DevicePool.open(Discovery.find("cpu:1"))) {
      return new LocalTranscodes(
              new JobOptions(
                      pool, ServicePolicies.anyRung(), ChaosPlan.none(), Duration.ofSeconds(60))
                  .withStrict(strict))
          .submit(
              request,
              event -> {
                if (event instanceof TranscodeListener.Event.Noticed noticed) {
                  notices.add(noticed.what());
                }
              })
          .await();
    }
  }

  private void isRefused(Path source, String why) {
    assertThatThrownBy(() -> run(source, true))
        .isInstanceOf(TranscodeException.Unreadable.class)
        .hasMessageContaining(why);
    assertThat(directory.resolve("strict/master.m3u8")).doesNotExist();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"whole.mp4,-movflags +faststart", "whole.mkv,-y"})
  void aSourceThatEndsEarlyIsToldOfWithBothDurations(String name, String option) throws Exception {
    Path whole = TestingClips.clip(name, PICTURE + "-t 6 -c:v libopenh264 -g 25 " + option);
    byte[] bytes = Files.readAllBytes(whole);
    Path cut = Files.write(directory.resolve(name), Arrays.copyOf(bytes, bytes.length / 2));
    TranscodeResult result = run(cut, false);
    assertThat(result.rungs().getFirst().frames()).isBetween(25L, 125L);
    assertThat(notices)
        .anyMatch(what -> what.contains("ends early") && what.contains("not 6.000 s"));
    isRefused(cut, "ends early");
    notices.clear();
    TestingFiles.delete(directory.resolve("out"));
    run(whole, false);
    assertThat(notices).as("of a source that is whole").isEmpty();
    TestingFiles.delete(directory.resolve("strict"));
    assertThat(run(whole, true).status()).isEqualTo("done");
  }

  @Test
  void picturesThatWereConcealedAreCounted() throws Exception {
    Path whole = TestingClips.clip("damage.ts", PICTURE + "-t 2 -c:v mpeg2video -b:v 1M");
    Path noisy = directory.resolve("noisy.ts");
    TestingFfmpeg.ffmpeg(("-i " + whole + " -c copy -bsf:v noise=amount=-200 " + noisy).split(" "));
    run(noisy, false);
    assertThat(notices).anyMatch(what -> what.matches("\\d+ pictures .* concealed"));
    isRefused(noisy, "damaged");
  }
}
