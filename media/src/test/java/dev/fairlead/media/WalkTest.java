package dev.fairlead.media;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The walk of a chunk as it is written down. */
class WalkTest {
  private static final Pattern FILE = Pattern.compile("`([a-z]+/[A-Z]\\w+\\.java)`");
  private static final Path SOURCES = Path.of("src/main/java/dev/fairlead/media");

  @Test
  void everyFileOfTheWalkIsThereAndNoneComesTwice() throws IOException {
    String text = Files.readString(Path.of("../docs/media.md"));
    int begin = text.indexOf("## The walk of a chunk");
    String walk = text.substring(begin, text.indexOf("\n## ", begin + 1));
    List<String> files =
        FILE.matcher(walk).results().map((MatchResult each) -> each.group(1)).toList();

    assertThat(files).hasSizeGreaterThan(30).doesNotHaveDuplicates();
    assertThat(files).allSatisfy(file -> assertThat(SOURCES.resolve(file)).isRegularFile());
  }
}
