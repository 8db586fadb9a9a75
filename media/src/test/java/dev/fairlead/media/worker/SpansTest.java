package dev.fairlead.media.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.worker.Spans.Span;
import org.junit.jupiter.api.Test;

class SpansTest {
  @Test
  void spansAreCutAtMultiplesOfTheirLengthAndTheLastHasNoEnd() {
    Spans spans = new Spans(3, 18, 8);
    assertThat(spans.count()).isEqualTo(3);
    assertThat(spans.take()).contains(new Span(0, 3, 8));
    assertThat(spans.take()).contains(new Span(1, 8, 16));
    assertThat(spans.take()).contains(new Span(2, 16, Long.MAX_VALUE));
    assertThat(spans.take()).isEmpty();
    assertThat(spans.of(0).place()).isZero();
    assertThat(spans.of(7).place()).isZero();
    assertThat(spans.of(8).place()).isEqualTo(1);
    assertThat(spans.of(1_000).place()).isEqualTo(2);
  }

  @Test
  void thereIsOneSpanIfNobodyKnowsHowManyChunksThereAre() {
    Spans spans = new Spans(0, 0, 8);
    assertThat(spans.count()).isEqualTo(1);
    assertThat(spans.take()).contains(new Span(0, 0, Long.MAX_VALUE));
    assertThat(new Spans(100, 20, 8).take()).contains(new Span(0, 100, Long.MAX_VALUE));
  }

  @Test
  void aPumpGoesOnIntoTheNextSpanOnlyIfThatIsFree() {
    Spans spans = new Spans(0, 32, 8);
    Span first = spans.take().orElseThrow();
    Span third = spans.take(spans.of(16)).orElseThrow();
    assertThat(spans.take(third)).isEmpty();
    Span second = spans.takeAfter(first).orElseThrow();
    assertThat(second.from()).isEqualTo(8);
    assertThat(spans.takeAfter(second)).isEmpty();
    Span last = spans.takeAfter(third).orElseThrow();
    assertThat(last.isLast()).isTrue();
    assertThat(spans.takeAfter(last)).isEmpty();
  }

  @Test
  void chunksAreInOrderUpToTheFirstThatMayStillCome() {
    Spans spans = new Spans(0, 24, 8);
    Span first = spans.take().orElseThrow();
    Span second = spans.take().orElseThrow();
    assertThat(spans.reported(second, 8)).isZero();
    assertThat(spans.reported(first, 0)).isEqualTo(1);
    assertThat(spans.reported(first, 5)).as("cells 1 to 4 are empty").isEqualTo(6);
    assertThat(spans.reported(second, 11)).isEqualTo(6);
    assertThat(spans.done(first)).as("6 and 7 are empty, 9 and 10 as well").isEqualTo(12);
    assertThat(spans.done(second)).as("nobody has the third span yet").isEqualTo(16);
    Span third = spans.take().orElseThrow();
    assertThat(spans.done(third)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void nothingIsLeftToDecodeAfterTheEndOfTheSource() {
    Spans spans = new Spans(0, 40, 8);
    Span first = spans.take().orElseThrow();
    Span third = spans.take(spans.of(16)).orElseThrow();
    Span fourth = spans.takeAfter(third).orElseThrow();
    assertThat(spans.ended(third)).as("the first span is at work").isZero();
    assertThat(spans.take()).as("what comes before the end").contains(new Span(1, 8, 16));
    assertThat(spans.take()).isEmpty();
    spans.done(first);
    assertThat(spans.done(spans.of(8))).as("somebody is at the fourth").isEqualTo(24);
    assertThat(spans.done(fourth)).isEqualTo(Long.MAX_VALUE);
  }
}
