package dev.fairlead.media.store;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/** Samples of nothing, the same for the same number. */
final class TestingSamples {
  private TestingSamples() {}

  static ChunkHeader header(UnitId unit) {
    return ChunkHeader.of(unit, 90_000, new byte[] {1, 2, 3}).with("encoder", "svt");
  }

  static List<Sample> of(long number, int count) {
    SplittableRandom random = new SplittableRandom(number);
    return LongStream.range(0, count)
        .mapToObj(i -> {
          byte[] data = new byte[random.nextInt(300)];
          random.nextBytes(data);
          return new Sample(i * 3_000, i * 3_000 - 9_000, 3_000, i == 0, data);
        })
        .toList();
  }
}
