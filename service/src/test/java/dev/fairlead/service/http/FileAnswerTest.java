package dev.fairlead.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileAnswerTest {
  @TempDir Path directory;
  private Answer.Content content;

  @BeforeEach
  void file() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "0123456789");
    content = new Answer.Content(file, "text/plain", Optional.of("tag"));
  }

  private FileAnswer ask(Map<String, String> headers) throws IOException {
    return FileAnswer.of(content, name -> Optional.ofNullable(headers.get(name)));
  }

  @ParameterizedTest
  @CsvSource({
    "bytes=0-9, 206, 0, 10",
    "bytes=0-0, 206, 0, 1",
    "bytes=4-, 206, 4, 6",
    "bytes=-3, 206, 7, 3",
    "bytes=-30, 206, 0, 10",
    "bytes=8-99, 206, 8, 2",
    "bytes=10-, 416, 0, 0",
    "bytes=-0, 416, 0, 0",
    "bytes=5-4, 200, 0, 10",
    "bytes=-, 200, 0, 10",
    "bytes=x-y, 200, 0, 10",
    "lines=0-1, 200, 0, 10",
    "'bytes=0-1,4-5', 200, 0, 10"
  })
  void answersRanges(String range, int status, long from, long length) throws IOException {
    FileAnswer answer = ask(Map.of("Range", range));
    assertThat(answer).isEqualTo(new FileAnswer(status, from, length, 10, "\"tag\""));
  }

  @Test
  void saysWhichBytesItSends() throws IOException {
    assertThat(ask(Map.of("Range", "bytes=-3")).contentRange()).contains("bytes 7-9/10");
    assertThat(ask(Map.of("Range", "bytes=10-")).contentRange()).contains("bytes */10");
    assertThat(ask(Map.of()).contentRange()).isEmpty();
  }

  @Test
  void aClientThatHasTheBytesGetsNone() throws IOException {
    assertThat(ask(Map.of("If-None-Match", "\"old\", W/\"tag\"")).status()).isEqualTo(304);
    assertThat(ask(Map.of("If-None-Match", "\"old\"")).status()).isEqualTo(200);
  }

  @Test
  void aRangeOfOtherBytesIsTheWhole() throws IOException {
    assertThat(ask(Map.of("Range", "bytes=0-1", "If-Range", "\"old\"")).status()).isEqualTo(200);
    assertThat(ask(Map.of("Range", "bytes=0-1", "If-Range", "\"tag\"")).status()).isEqualTo(206);
  }
}
