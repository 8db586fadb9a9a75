package dev.fairlead.media.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChunkFileTest {
  private static final UnitId UNIT = new UnitId("720p", 12);
  private static final long SEED = Long.getLong("fairlead.seed", 7_919);

  @TempDir Path directory;

  @Test
  void givesBackWhatWasWritten() throws IOException {
    Path file = directory.resolve("deep/er/000012.chunk");
    List<Sample> samples = TestingSamples.of(1, 60);

    ChunkFile.Summary facts = ChunkFile.write(file, TestingSamples.header(UNIT), samples);

    assertThat(ChunkFile.read(file))
        .usingRecursiveFieldByFieldElementComparator()
        .isEqualTo(samples);
    try (ChunkFile chunk = ChunkFile.open(file)) {
      assertThat(chunk.header().unit()).isEqualTo(UNIT);
      assertThat(chunk.header().timescale()).isEqualTo(90_000);
      assertThat(chunk.header().config()).containsExactly(1, 2, 3);
      assertThat(chunk.header().facts()).containsEntry("encoder", "svt").hasSize(1);
      assertThat(chunk.table()).extracting(ChunkFile.Entry::pts).startsWith(0L, 3_000L);
      assertThat(chunk.data(chunk.table().get(59))).isEqualTo(samples.get(59).data());
    }
    byte[] bytes = Files.readAllBytes(file);
    assertThat(facts.samples()).isEqualTo(60);
    assertThat(facts.bytes()).isEqualTo(bytes.length);
    byte[] end = Arrays.copyOfRange(bytes, bytes.length - Integer.BYTES, bytes.length);
    assertThat(facts.checksum()).isEqualTo(HexFormat.of().formatHex(end));
  }

  @Test
  void aSampleIsProvenByItself() throws IOException {
    Path file = directory.resolve("one");
    ChunkFile.write(file, TestingSamples.header(UNIT), TestingSamples.of(1, 3));
    ChunkFile.Entry second;
    try (ChunkFile chunk = ChunkFile.open(file)) {
      second = chunk.table().get(1);
    }
    byte[] bytes = Files.readAllBytes(file);
    bytes[(int) second.offset()] ^= 1;
    Files.write(file, bytes);

    try (ChunkFile chunk = ChunkFile.open(file)) {
      assertThat(chunk.data(chunk.table().get(0))).hasSize(chunk.table().get(0).bytes());
      assertThatExceptionOfType(CorruptChunk.class)
          .isThrownBy(() -> chunk.data(second))
          .withMessageContaining("the data at " + second.offset());
      assertThatExceptionOfType(CorruptChunk.class).isThrownBy(chunk::verify);
    }
  }

  @Test
  void aFileOfAnotherVersionSaysWhich() throws IOException {
    Path file = directory.resolve("old");
    ChunkFile.write(file, TestingSamples.header(UNIT), TestingSamples.of(1, 3));
    Files.write(file, with(Files.readAllBytes(file), 4, 1));

    assertThatExceptionOfType(CorruptChunk.class)
        .isThrownBy(() -> ChunkFile.open(file))
        .withMessageContaining("it has version 1, not 2");
  }

  @Test
  void hasTheSameBytesForTheSameSamplesAndNothingElseBesideIt() throws IOException {
    ChunkHeader header = TestingSamples.header(UNIT).with("b", 2).with("a", 1);
    ChunkHeader other = TestingSamples.header(UNIT).with("a", 1).with("b", 2);

    ChunkFile.write(directory.resolve("1"), header, TestingSamples.of(1, 9));
    ChunkFile.write(directory.resolve("2"), other, TestingSamples.of(1, 9));

    assertThat(directory.resolve("1")).hasSameBinaryContentAs(directory.resolve("2"));
    assertThat(names()).containsExactlyInAnyOrder("1", "2");
  }

  @Test
  void mayBeEmpty() {
    Path file = directory.resolve("empty");
    ChunkFile.write(file, ChunkHeader.of(UNIT, 1, new byte[0]), List.of());

    assertThat(ChunkFile.read(file)).isEmpty();
  }

  @Test
  void leavesNothingUnlessItIsCommitted() throws IOException {
    try (ChunkWriter writer =
        ChunkWriter.open(directory.resolve("x"), TestingSamples.header(UNIT))) {
      writer.add(TestingSamples.of(1, 1).getFirst());
      assertThat(names()).singleElement().asString().startsWith("x.").endsWith(".part");
    }
    assertThat(names()).isEmpty();
  }

  @Test
  void isFoundCorruptWhereverItIsCut() throws IOException {
    Path whole = directory.resolve("whole");
    ChunkFile.write(whole, TestingSamples.header(UNIT), TestingSamples.of(2, 3));
    byte[] bytes = Files.readAllBytes(whole);
    for (int length = 0; length < bytes.length; length++) {
      checkCorrupt(Arrays.copyOf(bytes, length), "cut to " + length);
    }
    checkCorrupt(Arrays.copyOf(bytes, bytes.length + 1), "a byte more");
  }

  @Test
  void isFoundCorruptWhicheverBitIsFlipped() throws IOException {
    Path whole = directory.resolve("whole");
    ChunkFile.write(whole, TestingSamples.header(UNIT), TestingSamples.of(3, 2));
    byte[] bytes = Files.readAllBytes(whole);
    SplittableRandom random = new SplittableRandom(SEED);
    for (int at = 0; at < bytes.length; at++) {
      byte[] flipped = bytes.clone();
      flipped[at] ^= (byte) (1 << random.nextInt(8));
      checkCorrupt(flipped, "a bit of byte " + at + ", seed " + SEED);
    }
  }

  @Test
  void allocatesNothingThatTheFileCannotHold() throws IOException {
    Path whole = directory.resolve("whole");
    ChunkFile.write(whole, TestingSamples.header(UNIT), TestingSamples.of(4, 2));
    byte[] bytes = Files.readAllBytes(whole);
    int counts = bytes.length - Integer.BYTES - ChunkFile.COUNTS_BYTES;
    for (int hostile : new int[] {Integer.MAX_VALUE, Integer.MIN_VALUE, -1, 1 << 30}) {
      checkCorrupt(with(bytes, 8, hostile), "header of " + hostile);
      checkCorrupt(with(bytes, counts, hostile), hostile + " samples");
      checkCorrupt(with(bytes, counts + 4, hostile), "data of " + hostile + " × 2^32");
      checkCorrupt(with(bytes, 12, hostile), "a text of " + hostile);
    }
  }

  @Test
  void tellsAFileThatIsNotThereFromOneThatIsCorrupt() {
    assertThatExceptionOfType(UncheckedIOException.class)
        .isThrownBy(() -> ChunkFile.read(directory.resolve("none")))
        .withMessageContaining("none");
  }

  private void checkCorrupt(byte[] bytes, String how) throws IOException {
    Path file = directory.resolve("corrupt");
    Files.write(file, bytes);
    assertThatExceptionOfType(CorruptChunk.class)
        .as(how)
        .isThrownBy(() -> ChunkFile.read(file))
        .withMessageContaining(file.toString());
  }

  private static byte[] with(byte[] bytes, int at, int number) {
    byte[] changed = bytes.clone();
    ByteBuffer.wrap(changed).putInt(at, number);
    return changed;
  }

  private List<String> names() throws IOException {
    try (var files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
