package dev.fairlead.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.dispatch.RangeReport;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.job.TranscodeResult;
import dev.fairlead.media.prepare.SourceTools;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExamplesTest {
  private static byte[] frame(int number) {
    byte[] frame = new byte[BlurFrames.WIDTH * BlurFrames.HEIGHT];
    new Random(number).nextBytes(frame);
    return frame;
  }

  private static byte[] blurred(byte[] in) {
    byte[] out = new byte[in.length];
    for (int y = 0; y < BlurFrames.HEIGHT; y++) {
      for (int x = 0; x < BlurFrames.WIDTH; x++) {
        int sum = 0;
        for (int dy = -1; dy <= 1; dy++) {
          for (int dx = -1; dx <= 1; dx++) {
            int column = Math.clamp(x + dx, 0, BlurFrames.WIDTH - 1);
            int row = Math.clamp(y + dy, 0, BlurFrames.HEIGHT - 1);
            sum += in[row * BlurFrames.WIDTH + column] & 0xFF;
          }
        }
        out[y * BlurFrames.WIDTH + x] = (byte) (sum / 9);
      }
    }
    return out;
  }

  @Test
  void framesAreBlurredOverAllDevicesInOrder() throws Exception {
    List<byte[]> frames = IntStream.range(0, 12).mapToObj(ExamplesTest::frame).toList();
    List<byte[]> results = new ArrayList<>();

    BlurFrames.blur("opencl:0/2", frames.iterator(), results::add);

    assertThat(results).hasSize(frames.size());
    for (int number = 0; number < frames.size(); number++) {
      assertThat(results.get(number)).as("frame %d", number).isEqualTo(blurred(frames.get(number)));
    }
  }

  @Test
  void everySimulationIsDoneOnceByRangeStealing() throws Exception {
    double[] distances = new double[2_000];

    RangeReport report = Simulations.simulate("cpu:2,cpu:1*0.25", distances);

    for (int number = 0; number < distances.length; number++) {
      assertThat(distances[number]).isEqualTo(Simulations.walk(number));
    }
    assertThat(report.shares()).isNotEmpty();
  }

  @Test
  void inferenceIsPlacedByThePool() throws Exception {
    List<float[]> inputs =
        IntStream.range(0, 20).mapToObj(i -> new float[] {i, -i, 0.5f * i}).toList();

    List<float[]> answers = OnnxInference.infer("cpu:2", OnnxModel.linear(2, 1), inputs);

    for (int i = 0; i < inputs.size(); i++) {
      assertThat(answers.get(i)).containsExactly(2f * i + 1, -2f * i + 1, i + 1f);
    }
  }

  @Test
  void aVideoBecomesALadderAndIsNotMadeAgain(@TempDir Path directory) throws Exception {
    Path video = directory.resolve("clip.mp4");
    SourceTools.makeClip(video, 2, 640, 360);
    Path output = directory.resolve("out");
    List<String> said = Collections.synchronizedList(new ArrayList<>());

    TranscodeResult result = TranscodeClip.transcode("cpu:2", video, output, said::add);

    assertThat(result.status()).isEqualTo("done");
    assertThat(result.rungs())
        .extracting(TranscodeResult.RungResult::name)
        .containsExactly("360p", "180p");
    assertThat(output.resolve("master.m3u8")).exists();
    assertThat(said)
        .anyMatch(line -> line.matches("180p/000000 by cpu:[01]"))
        .anyMatch(line -> line.startsWith("360p: %d frames in ".formatted(frames(result))));
    assertThat(TranscodeClip.transcode("cpu:2", video, output, said::add).status())
        .isEqualTo("unchanged");
  }

  private static long frames(TranscodeResult result) {
    long frames = result.rungs().getFirst().frames();
    assertThat(frames).isPositive();
    return frames;
  }

  @Test
  void aVideoThatIsNotThereIsSaidInWordsOfTheLibrary(@TempDir Path directory) {
    Path video = directory.resolve("none.mp4");

    assertThatThrownBy(
            () -> TranscodeClip.transcode("cpu:1", video, directory.resolve("out"), line -> {}))
        .isInstanceOfSatisfying(
            TranscodeException.Unreadable.class,
            failure -> {
              assertThat(failure).hasMessageContaining(video.toString());
              assertThat(failure.getMessage()).doesNotContain("--", "exit", "Exception");
              assertThat(TranscodeClip.isWorthAnotherTry(failure)).isFalse();
            });
    assertThat(directory).as("nothing was made").isEmptyDirectory();
    assertThat(TranscodeClip.isWorthAnotherTry(new TranscodeException.Cancelled())).isTrue();
  }
}
