package dev.fairlead.media.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CodecCacheTest {
  @TempDir private Path directory;

  @Test
  void aFolderThatSomebodyHasCleanedUpIsFilledAgain() throws Exception {
    Path log = directory.resolve("log");
    Path folder = CodecCache.ready(Codecs.usual(), log);
    List<Path> markers;
    try (var files = Files.list(folder)) {
      markers =
          files.filter(file -> file.getFileName().toString().startsWith(".fairlead-")).toList();
    }
    List<String> jars = List.of("ffmpeg-1-linux-x86_64.jar");
    Path cleaned = Files.createDirectory(directory.resolve("cleaned"));

    assertThat(markers).isNotEmpty();
    assertThat(CodecCache.isUnpacked(cleaned, jars)).isFalse();
    Files.createFile(cleaned.resolve(".fairlead-" + Integer.toHexString(jars.hashCode())));
    assertThat(CodecCache.isUnpacked(cleaned, jars)).as("with a marker alone").isFalse();
    Files.createDirectory(cleaned.resolve(jars.getFirst()));
    assertThat(CodecCache.isUnpacked(cleaned, jars)).isTrue();
  }
}
