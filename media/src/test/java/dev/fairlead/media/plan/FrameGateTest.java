package dev.fairlead.media.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.source.Rational;
import dev.fairlead.media.source.VideoTrack;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrameGateTest {
  @ParameterizedTest
  @CsvSource({
    "60, 30, 2",
    "50, 25, 2",
    "30, 10, 3",
    "30, 30, 1",
    "24, 60, 1",
    "120, 30, 4",
    "300, 60, 5"
  })
  void keepsEveryNthFrameOfARegularSourceWhateverItsRounding(int fps, int most, int nth) {
    List<Long> frames =
        LongStream.range(0, 20L * fps).map(i -> Math.round(i * 1000.0 / fps)).boxed().toList();

    List<Long> kept = kept(source(fps), frames, most);

    assertThat(kept)
        .isEqualTo(
            LongStream.range(0, frames.size())
                .filter(i -> i % nth == 0)
                .mapToObj(i -> frames.get((int) i))
                .toList());
  }

  @Test
  void keepsAllIfThereIsNoLargestRate() {
    VideoTrack source = source(30);
    ChunkGrid grid = ChunkGrid.of(source, TestingSources.REQUEST);
    FrameGate gate = FrameGate.of(grid, source.timeBase(), Optional.empty());

    assertThat(LongStream.range(0, 100).allMatch(gate::keeps)).isTrue();
  }

  @Test
  void decidesByTheFramesOfAChunkAloneAndKeepsItsFirst() {
    TestingSources.check(random -> {
      int most = random.nextInt(1, 60);
      VideoTrack source = source(30);
      ChunkGrid grid = ChunkGrid.of(source, TestingSources.REQUEST);
      List<Long> frames = List.copyOf(new TreeSet<>(times(random)));
      List<Long> whole = kept(source, frames, most);
      List<Long> byChunk = new ArrayList<>();
      for (long chunk = 0; chunk <= grid.chunkOf(frames.getLast()); chunk++) {
        long its = chunk;
        List<Long> own = frames.stream().filter(pts -> grid.chunkOf(pts) == its).toList();
        List<Long> keptOfIt = kept(source, own, most);
        assertThat(keptOfIt.size()).isLessThanOrEqualTo(2 * most + 1);
        if (!own.isEmpty()) {
          assertThat(keptOfIt.getFirst()).isEqualTo(own.getFirst());
        }
        byChunk.addAll(keptOfIt);
      }
      assertThat(byChunk).isEqualTo(whole);
    });
  }

  private static List<Long> times(SplittableRandom random) {
    return random.longs(random.nextInt(1, 200), 0, 10_000).boxed().toList();
  }

  private static List<Long> kept(VideoTrack source, List<Long> frames, int most) {
    ChunkGrid grid = ChunkGrid.of(source, TestingSources.REQUEST);
    FrameGate gate = FrameGate.of(grid, source.timeBase(), Optional.of(new Rational(most, 1)));
    return frames.stream().filter(gate::keeps).toList();
  }

  private static VideoTrack source(int fps) {
    return TestingSources.timed(TestingSources.MILLIS, new Rational(fps, 1), 0);
  }
}
