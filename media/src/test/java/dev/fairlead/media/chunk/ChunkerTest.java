package dev.fairlead.media.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.media.av.Filter;
import dev.fairlead.media.av.Picture;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ChunkerTest {
  private static final int CELL = 20;
  private static final int PATIENCE_SECONDS = 30;

  private final Filter source = Filter.source("color=s=16x16:r=25", true);
  private final ReadAhead lead = new ReadAhead();
  private final LinkedBlockingQueue<Chunk> begun = new LinkedBlockingQueue<>();
  private final Chunker chunker = new Chunker(pts -> pts / CELL, lead, begun::add);

  @AfterEach
  void close() {
    begun.forEach(Chunk::close);
    source.close();
  }

  private Picture picture() {
    return Objects.requireNonNull(source.pull());
  }

  private Chunk next() throws InterruptedException {
    return Objects.requireNonNull(begun.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
  }

  /** Decodes on a thread of its own, as the worker does. */
  private CompletableFuture<Thread> decode(int pictures) {
    CompletableFuture<Thread> end = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try {
            for (int i = 0; i < pictures; i++) {
              chunker.add(picture());
            }
            chunker.finish(3, 1);
            end.complete(Thread.currentThread());
          } catch (InterruptedException stopped) {
            end.completeExceptionally(stopped);
          }
        });
    return end;
  }

  @Test
  void aChunkIsReadWhileItIsDecoded() throws Exception {
    CompletableFuture<Thread> decoding = decode(CELL + 5);
    Chunk first = next();
    int read = 0;
    for (Picture each = first.get(0); each != null; each = first.get(++read)) {
      assertThat(each.pts()).isEqualTo(read);
    }
    assertThat(read).isEqualTo(CELL);
    assertThat(first.end()).isEqualTo(CELL);
    assertThat(first.times()).hasSize(CELL).startsWith(0, 1, 2);
    Chunk last = next();
    decoding.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    assertThat(last.get(5)).isNull();
    assertThat(last.times()).containsExactly(20, 21, 22, 23, 24);
    assertThat(last.end()).as("one tick, by its decoder").isEqualTo(25);
    first.close();
    last.close();
  }

  @Test
  void decodingRunsAFewPicturesAheadAndNoFurther() throws Exception {
    Thread decoder =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              try {
                while (true) {
                  chunker.add(picture());
                }
              } catch (InterruptedException stopped) {
                chunker.close();
              }
            });
    Chunk chunk = next();
    await("8 pictures, and rest", () -> chunk.size() >= 8 && isIdle(decoder));
    assertThat(chunk.size()).isEqualTo(8);
    chunk.get(3);
    await("12 pictures, and rest", () -> chunk.size() >= 12 && isIdle(decoder));
    assertThat(chunk.size()).isEqualTo(12);
    lead.hungry(true);
    assertThat(next().index()).as("a lane has nothing to read").isEqualTo(1);
    lead.hungry(false);
    await("the decoder rests", () -> isIdle(decoder));
    decoder.interrupt();
    assertThat(decoder.join(Duration.ofSeconds(PATIENCE_SECONDS))).isTrue();
  }

  @Test
  void whereChunksAreToBeWholeTheyAreDecodedToTheirEndsUnread() throws Exception {
    lead.whole(true);
    CompletableFuture<Thread> decoding = decode(2 * CELL);
    decoding.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    Chunk first = next();
    Chunk second = next();
    assertThat(first.size()).isEqualTo(CELL);
    assertThat(second.size()).isEqualTo(CELL);
    first.close();
    second.close();
  }

  private static boolean isIdle(Thread thread) {
    return thread.getState() == Thread.State.WAITING;
  }

  private static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - end).as("it never came about: %s", what).isNegative();
      LockSupport.parkNanos(100_000);
    }
  }

  @Test
  void whoReadsAChunkThatIsGivenUpIsTold() throws Exception {
    chunker.add(picture());
    Chunk chunk = next();
    CompletableFuture<Picture> waiting = new CompletableFuture<>();
    Thread reader =
        Thread.ofPlatform()
            .start(() -> {
              try {
                waiting.complete(chunk.get(1));
              } catch (InterruptedException | RuntimeException failure) {
                waiting.completeExceptionally(failure);
              }
            });
    await("the reader waits", () -> isIdle(reader));
    chunker.close();
    assertThatThrownBy(() -> waiting.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
        .isInstanceOf(CancellationException.class)
        .hasRootCauseMessage("Chunk 0 could not be decoded to its end");
    assertThatThrownBy(chunk::end).isInstanceOf(IllegalStateException.class);
    chunk.close();
  }

  @Test
  void decodingIsTheBottleneckWhileReadersWaitForItAndItForNothing() {
    lead.waited();
    lead.next();
    lead.waited();
    lead.next();
    assertThat(lead.pressed()).isEqualTo(2);
    lead.waited();
    lead.rested();
    lead.next();
    assertThat(lead.pressed()).as("it has waited too").isZero();
    lead.waited();
    lead.next();
    lead.next();
    assertThat(lead.pressed()).as("nobody has waited").isZero();
  }

  @Test
  void theLeadGrowsWhileReadersWaitAndShrinksAgain() {
    assertThat(lead.pictures()).isEqualTo(8);
    lead.waited();
    lead.next();
    lead.waited();
    lead.waited();
    lead.next();
    assertThat(lead.pictures()).isEqualTo(32);
    lead.next();
    lead.next();
    lead.next();
    assertThat(lead.pictures()).isEqualTo(8);
  }
}
