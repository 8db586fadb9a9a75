package dev.fairlead.service.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileEndsTest {
  private static final int MIB = 1 << 20;

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(
      ints = {0, 1, MIB - 1, MIB, MIB + 1, MIB + 5_000, 2 * MIB - 1, 2 * MIB, 2 * MIB + 1, 5 * MIB})
  void hashesTheFirstAndTheLastMebibyte(int size) throws IOException {
    byte[] bytes = new byte[size];
    new SplittableRandom(size).nextBytes(bytes);
    Path file = Files.write(directory.resolve("file"), bytes);
    assertThat(FileEnds.of(file))
        .isEqualTo(
            new FileEnds(
                size,
                Sha256.of(Arrays.copyOf(bytes, Math.min(size, MIB))),
                Sha256.of(Arrays.copyOfRange(bytes, Math.max(0, size - MIB), size))));
  }
}
