package dev.fairlead.service.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fairlead.service.http.Problem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UploadsTest {
  private static final String SHA256_OF_ABCDEF =
      "bef57ec7f53a6d40beb640a780a639c83bc29ac8a9816f1fc6c5c6dcd93c4721";

  @TempDir Path directory;
  private Uploads uploads;

  @BeforeEach
  void open() {
    uploads = new Uploads(directory.resolve("uploads"), 0);
  }

  private static InputStream bytes(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
  }

  private Uploads.Upload put(String text, long from, long size) {
    return uploads.put("a", new ContentRange(from, from + text.length(), size), bytes(text));
  }

  private int refused(Runnable call) {
    return catchThrowableOfType(Problem.class, call::run).details().status();
  }

  @Test
  void anUploadGoesOnWhereItStopped() throws IOException {
    assertThat(uploads.at("a").offset()).isZero();
    assertThat(put("abc", 0, 6)).isEqualTo(new Uploads.Upload("a", 3, Optional.empty()));
    assertThat(refused(() -> uploads.file("a"))).isEqualTo(404);
    assertThat(refused(() -> put("xyz", 0, 6))).isEqualTo(409);
    assertThat(put("def", 3, 6))
        .isEqualTo(new Uploads.Upload("a", 6, Optional.of(SHA256_OF_ABCDEF)));
    assertThat(Files.readString(uploads.file("a"))).isEqualTo("abcdef");
  }

  @Test
  void whatHasComeStaysIfTheClientGoesAway() {
    InputStream broken =
        new InputStream() {
          private int left = 2;

          @Override
          public int read() throws IOException {
            throw new IOException("gone");
          }

          @Override
          public int read(byte[] into, int from, int most) throws IOException {
            if (left == 0) {
              throw new IOException("gone");
            }
            into[from] = 'a';
            left--;
            return 1;
          }
        };
    assertThat(refused(() -> uploads.put("a", new ContentRange(0, 6, 6), broken))).isEqualTo(408);
    assertThat(uploads.at("a").offset()).isEqualTo(2);
  }

  @Test
  void theSameBytesAgainAreTheSameUpload() {
    put("abcdef", 0, 6);
    assertThat(put("abcdef", 0, 6).sha256()).contains(SHA256_OF_ABCDEF);
    assertThat(put("def", 3, 6).sha256()).contains(SHA256_OF_ABCDEF);
    assertThat(refused(() -> put("abcdeX", 0, 6))).isEqualTo(409);
    assertThat(refused(() -> put("abcdefg", 0, 7))).isEqualTo(409);
  }

  @Test
  void oneRequestAtATimeWrites() throws Exception {
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch second = new CountDownLatch(1);
    InputStream slow =
        new InputStream() {
          @Override
          public int read() {
            return -1;
          }

          @Override
          public int read(byte[] into, int from, int most) throws IOException {
            reading.countDown();
            try {
              assertThat(second.await(20, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException stopped) {
              throw new IOException(stopped);
            }
            return -1;
          }
        };
    CompletableFuture<Integer> first =
        CompletableFuture.supplyAsync(
            () -> refused(() -> uploads.put("a", new ContentRange(0, 6, 6), slow)));
    assertThat(reading.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(refused(() -> put("abcdef", 0, 6))).isEqualTo(409);
    second.countDown();
    assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo(408);
    assertThat(put("abcdef", 0, 6).sha256()).isPresent();
  }

  @Test
  void idsCannotLeadElsewhere() {
    for (String id : new String[] {"..", "a/b", "", ".a", "a.b", "x".repeat(65)}) {
      assertThat(refused(() -> uploads.at(id))).as(id).isEqualTo(400);
    }
  }

  @Test
  void aDiskThatIsNearlyFullTakesNothing() {
    Uploads scarce = new Uploads(directory.resolve("scarce"), Long.MAX_VALUE / 2);
    assertThat(refused(() -> scarce.put("a", new ContentRange(0, 6, 6), bytes("abcdef"))))
        .isEqualTo(507);
  }

  @Test
  void whatNothingUsesIsRemoved() {
    put("abcdef", 0, 6);
    uploads.put("b", new ContentRange(0, 6, 6), bytes("abcdef"));
    Path used = uploads.file("b");
    uploads.removeOlder(Instant.now().minusSeconds(60), used::equals);
    assertThat(uploads.file("a")).exists();
    uploads.removeOlder(Instant.now().plusSeconds(60), used::equals);
    assertThat(uploads.at("a").offset()).isZero();
    assertThat(used).exists();
  }

  @Test
  void readsHeaders() {
    assertThat(ContentRange.of(Optional.empty(), Optional.of("7")))
        .isEqualTo(new ContentRange(0, 7, 7));
    assertThat(ContentRange.of(Optional.of("bytes 2-3/9"), Optional.of("2")))
        .isEqualTo(new ContentRange(2, 4, 9));
    for (String wrong : new String[] {"", "bytes 3-2/9", "bytes 0-9/9", "bytes 0-1/*", "x"}) {
      assertThat(refused(() -> ContentRange.of(Optional.of(wrong), Optional.empty())))
          .isEqualTo(400);
    }
    assertThat(refused(() -> ContentRange.of(Optional.empty(), Optional.empty()))).isEqualTo(411);
  }
}
