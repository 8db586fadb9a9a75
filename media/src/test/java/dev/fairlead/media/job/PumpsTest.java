package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.plan.Pumps;
import dev.fairlead.media.plan.TranscodeRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** However many pumps decode, and whatever happens to them, the output is the same. */
@Timeout(300)
class PumpsTest {
  private static final String PICTURE = "-f lavfi -i testsrc2=s=160x90:r=25 ";
  private static final String OPEN = PICTURE + "-t 12 -c:v mpeg2video -bf 2 -g 15 -b:v 400k";
  private static final Pumps THREE = new Pumps(3, 3, 1);

  @TempDir private Path directory;

  private static TranscodeResult run(TranscodeRequest request, Pumps pumps, String chaos)
      throws Exception {
    return TestingJobs.run(
        request, "cpu:2", chaos.isEmpty() ? ChaosPlan.none() : ChaosPlan.parse(chaos), pumps);
  }

  private TranscodeRequest request(Path source, String output) {
    return TestingJobs.request(source, directory.resolve(output));
  }

  private SortedMap<String, String> hashes(String output) throws Exception {
    return TestingJobs.hashes(directory.resolve(output));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          pumps-b.mp4      | -t 8 -c:v mpeg4 -bf 2 -g 37 -b:v 400k
          pumps-long.mp4   | -t 8 -c:v libopenh264 -g 1000 -b:v 300k
          pumps-uneven.mkv | -t 10 -vf select=lt(mod(t\\,5)\\,1.7)*not(mod(n\\,3)) -fps_mode vfr -c:v mpeg2video -bf 2 -g 40
          """)
  void severalPumpsMakeTheSameFiles(String name, String arguments) throws Exception {
    Path source = TestingClips.clip(name, PICTURE + arguments);
    TranscodeResult one = run(request(source, "one"), Pumps.one(), "");
    TranscodeResult three = run(request(source, "three"), THREE, "");
    assertThat(hashes("three")).isEqualTo(hashes("one"));
    assertThat(three.sourceFramesDecoded()).isEqualTo(one.sourceFramesDecoded());
    assertThat(one.leadInFrames()).isZero();
    assertThat(three.leadInFrames()).isPositive();
  }

  @Test
  void openGroupsOfPicturesCrashesAndResumedRunsMakeNoDifference() throws Exception {
    Path source = TestingClips.clip("pumps-open.mkv", OPEN);
    run(request(source, "one"), Pumps.one(), "");
    for (String chaos : List.of("", "crash@4", "crash@90p/0,kill@90p/5")) {
      run(request(source, "three" + chaos), THREE, chaos);
      assertThat(hashes("three" + chaos)).as(chaos).isEqualTo(hashes("one"));
    }
    TranscodeRequest again = request(source, "again");
    assertThatThrownBy(() -> run(again, THREE, "throw@90p/2x*"))
        .isInstanceOf(TranscodeException.GaveUp.class);
    run(again, THREE, "");
    assertThat(hashes("again")).isEqualTo(hashes("one"));
  }

  @Test
  void whatCannotBeSplitHasOnePump() throws Exception {
    Path stream = TestingClips.clip("pumps-open.ts", PICTURE + "-t 6 -c:v mpeg2video -bf 2 -g 15");
    assertThat(run(request(stream, "stream"), THREE, "").leadInFrames()).isZero();
    Path fields =
        TestingClips.clip(
            "pumps-fields.mkv",
            PICTURE + "-t 6 -vf setfield=tff -flags +ildct+ilme -c:v mpeg2video -g 15");
    assertThat(run(request(fields, "fields"), THREE, "").leadInFrames()).isZero();
  }
}
