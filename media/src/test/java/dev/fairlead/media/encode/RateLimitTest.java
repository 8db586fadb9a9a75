package dev.fairlead.media.encode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fairlead.media.av.Encoded;
import dev.fairlead.media.source.Rational;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RateLimitTest {
  private static final Rational MILLIS = new Rational(1, 1_000);
  private static final long LIMIT = 800_000; // 100 bytes in a millisecond

  private static Encoded packet(long pts, double bytes) {
    return new Encoded(pts, pts, 1, false, new byte[(int) bytes]);
  }

  private static RateLimit cell(long from, long to) {
    return new RateLimit(LIMIT, MILLIS, from, to);
  }

  @Test
  void aWindowInsideAChunkMayHoldTheLimitAndALittleMore() {
    RateLimit longChunk = cell(0, 10_000);

    assertThat(longChunk.strain(List.of(packet(4_000, 105_000), packet(5_999, 105_000))))
        .isEqualTo(1, within(1e-9));
    assertThat(longChunk.strain(List.of(packet(4_000, 105_000), packet(6_000, 105_000))))
        .as("two windows")
        .isEqualTo(0.5, within(1e-9));
  }

  @Test
  void theBeginningHasRoomForAKey() {
    assertThat(cell(0, 2_000).strain(List.of(packet(0, 80_000)))).isEqualTo(1, within(1e-9));
    assertThat(cell(0, 2_000).strain(List.of(packet(1_000, 125_000)))).isGreaterThan(1);
  }

  @Test
  void theEndHasLess() {
    assertThat(cell(0, 2_000).strain(List.of(packet(1_999, 40_000)))).isEqualTo(1, within(0.01));
  }

  @Test
  void aSourceWithoutPicturesIsNoStrain() {
    assertThat(cell(0, 2_000).strain(List.of())).isZero();
  }

  /** Chunks that keep the limit, each by itself and only just, keep it one after another. */
  @ParameterizedTest
  @ValueSource(longs = {2_000, 2_002, 2_040, 2_500})
  void chunksThatKeepItKeepItTogether(long length) {
    Random random = new Random(length);
    for (int round = 0; round < 300; round++) {
      List<Encoded> all = new ArrayList<>();
      for (int chunk = 0; chunk < 4; chunk++) {
        all.addAll(chunk(random, chunk * length, (chunk + 1) * length));
      }
      assertThat(densest(all)).isLessThanOrEqualTo(RateLimit.TOLERANCE * LIMIT * 2);
    }
  }

  /** Pictures at odd times, of odd sizes, as large together as the limit allows. */
  private static List<Encoded> chunk(Random random, long from, long to) {
    List<Long> times = new ArrayList<>();
    int count = 1 + random.nextInt(30);
    for (int i = 0; i < count; i++) {
      times.add(from + random.nextLong(to - from));
    }
    Collections.sort(times);
    boolean even = random.nextBoolean();
    double[] sizes = new double[count];
    for (int i = 0; i < count; i++) {
      sizes[i] = 1_000 * (even ? 1 : Math.exp(4 * random.nextDouble()));
    }
    RateLimit limit = cell(from, to);
    double strain = limit.strain(packets(times, sizes, 1));
    return packets(times, sizes, strain);
  }

  private static List<Encoded> packets(List<Long> times, double[] sizes, double divisor) {
    List<Encoded> packets = new ArrayList<>();
    for (int i = 0; i < sizes.length; i++) {
      packets.add(packet(times.get(i), sizes[i] / divisor));
    }
    return packets;
  }

  private static double densest(List<Encoded> packets) {
    double most = 0;
    for (Encoded first : packets) {
      double bits =
          packets.stream()
              .filter(packet -> packet.pts() >= first.pts() && packet.pts() < first.pts() + 2_000)
              .mapToDouble(packet -> 8.0 * packet.data().length)
              .sum();
      most = Math.max(most, bits);
    }
    return most;
  }
}
