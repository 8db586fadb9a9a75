package dev.fairlead.media.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fairlead.media.source.Rational;
import dev.fairlead.media.source.VideoTrack;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChunkGridTest {
  private static final TranscodeRequest REQUEST = TestingSources.REQUEST;

  @ParameterizedTest
  @CsvSource({
    "30, 1, 60, 2/1",
    "30000, 1001, 60, 1001/500",
    "24000, 1001, 48, 1001/500",
    "25, 1, 50, 2/1",
    "15, 2, 15, 2/1",
    "1, 3, 1, 3/1",
    "1, 1000, 120, 2/1",
    "0, 1, 120, 2/1",
    "-30, 1, 120, 2/1",
    "1001, 1, 120, 2/1",
    "90000, 1, 120, 2/1",
    "2147483647, 71582789, 120, 2/1",
  })
  void chunksAreAWholeNumberOfFramesAndAboutTwoSeconds(
      int num, int den, int frames, String seconds) {
    ChunkGrid grid = grid(TestingSources.MILLIS, new Rational(num, den), 0);

    assertThat(grid.frames()).isEqualTo(frames);
    assertThat(grid.seconds()).hasToString(seconds);
  }

  @Test
  void cutsFramesOfAnNtscSourceWithoutDrift() {
    ChunkGrid grid = grid(new Rational(1001, 30_000), new Rational(30_000, 1_001), 7);

    for (long frame = 0; frame < 1_000_000; frame += 7) {
      assertThat(grid.chunkOf(7 + frame)).isEqualTo(frame / 60);
    }
    assertThat(grid.startOf(1_000)).isEqualTo(7 + 60_000);
    assertThat(grid.chunkOf(6)).isEqualTo(-1);
  }

  @ParameterizedTest
  @CsvSource({"4, 2", "2, 1", "1, 1", "6, 3", "5, 3", "4.9, 2", "0.1, 1", "3600, 1800"})
  void aSegmentHoldsWholeChunks(String seconds, int chunks) {
    Duration segment = Duration.ofMillis(Math.round(Double.parseDouble(seconds) * 1000));
    VideoTrack source = TestingSources.sized(1920, 1080);
    ChunkGrid grid = ChunkGrid.of(source, REQUEST.withSegment(segment));

    assertThat(grid.chunksPerSegment()).isEqualTo(chunks);
    assertThat(grid.segmentOf(chunks)).isEqualTo(1);
    assertThat(grid.segmentOf(chunks - 1)).isEqualTo(0);
    assertThat(grid.firstChunkOf(3)).isEqualTo(3L * chunks);
  }

  @Test
  void beginsWhereTheRequestDoes() {
    VideoTrack source = TestingSources.timed(new Rational(1, 90_000), TestingSources.FPS_30, 900);
    ChunkGrid grid =
        ChunkGrid.of(
            source,
            REQUEST.withStart(Duration.ofNanos(1_000_000_001)).withEnd(Duration.ofSeconds(5)));

    assertThat(grid.start()).isEqualTo(900 + 90_001);
    assertThat(grid.end()).hasValue(900 + 450_000);
    assertThat(grid.contains(grid.start() - 1)).isFalse();
    assertThat(grid.contains(grid.start())).isTrue();
    assertThat(grid.contains(900 + 449_999)).isTrue();
    assertThat(grid.contains(900 + 450_000)).isFalse();
    assertThat(grid.chunkOf(grid.start())).isZero();
    assertThat(grid.chunkOf(grid.start() + 179_999)).isZero();
    assertThat(grid.chunkOf(grid.start() + 180_000)).isEqualTo(1);
  }

  @Test
  void everyTimeIsInTheChunkWhoseRangeHoldsIt() {
    TestingSources.check(random -> {
      VideoTrack source = TestingSources.timed(random);
      ChunkGrid grid = ChunkGrid.of(source, REQUEST);
      long after = random.nextLong(1L << 61) >>> random.nextInt(61);
      long pts = source.start() + after;
      long chunk = grid.chunkOf(pts);

      assertThat(chunk).isNotNegative();
      assertThat(grid.startOf(chunk)).isLessThanOrEqualTo(pts);
      assertThat(grid.startOf(chunk + 1)).isGreaterThan(pts);
      if (grid.lengthNum() >= grid.lengthDen()) {
        assertThat(grid.chunkOf(grid.startOf(chunk))).isEqualTo(chunk);
        assertThat(grid.chunkOf(grid.startOf(chunk) - 1)).isEqualTo(chunk - 1);
      }
      assertThat(grid.chunkOf(source.start())).isZero();
    });
  }

  @Test
  void dependsOnSourceAndRequestOnly() {
    TestingSources.check(random -> {
      VideoTrack source = TestingSources.timed(random);
      ChunkGrid grid = ChunkGrid.of(source, REQUEST);

      assertThat(ChunkGrid.of(source, REQUEST.withMemoryBytes(random.nextLong(1, 1L << 40))))
          .isEqualTo(grid);
      assertThat(
              ChunkGrid.of(source, REQUEST.withLadder(LadderSpec.parse("360p")).withRestart(true)))
          .isEqualTo(grid);
    });
  }

  @Test
  void refusesASourceWithoutTime() {
    assertThatExceptionOfType(PlanException.class)
        .isThrownBy(() -> grid(new Rational(0, 1), TestingSources.FPS_30, 0))
        .withMessageContaining("0/1");
  }

  @ParameterizedTest
  @CsvSource({
    "1, 90000, 90000",
    "1001, 30000, 30000",
    "1, 25, 12800",
    "1, 1000, 16000",
    "1, 1000000, 1000000",
    "1, 27000000, 27000000",
    "1, 1000000000, 90000"
  })
  void theOutputHasTicksThatDivideThoseOfTheSource(int num, int den, int timescale) {
    Timeline timeline = Timeline.of(new Rational(num, den), 1L << 62);

    assertThat(timeline.timescale()).isEqualTo(timescale);
    assertThat(timeline.isExact()).isEqualTo(den <= 27_000_000);
    assertThat(timeline.ticks(1L << 62)).isZero();
    assertThat(timeline.ticks((1L << 62) + den)).isEqualTo((long) num * timescale);
  }

  private static ChunkGrid grid(Rational timeBase, Rational frameRate, long start) {
    return ChunkGrid.of(TestingSources.timed(timeBase, frameRate, start), REQUEST);
  }
}
