package dev.fairlead;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The walk of a task as it is written down. */
class WalkTest {
  private static final Pattern STEP =
      Pattern.compile("^(\\d+)\\. `([a-z]+/[A-Z]\\w+\\.java)` ", Pattern.MULTILINE);
  private static final Path SOURCES = Path.of("src/main/java/dev/fairlead");

  @Test
  void everyFileOfTheWalkIsThereAndNoneComesTwice() throws IOException {
    String text = Files.readString(Path.of("../docs/architecture.md"));
    int begin = text.indexOf("## The walk of a task");
    String walk = text.substring(begin, text.indexOf("\n## ", begin + 1));
    List<MatchResult> steps = STEP.matcher(walk).results().toList();
    List<String> files = steps.stream().map(step -> step.group(2)).toList();

    assertThat(files).hasSizeGreaterThan(30).doesNotHaveDuplicates();
    assertThat(files).allSatisfy(file -> assertThat(SOURCES.resolve(file)).isRegularFile());
    for (int number = 0; number < steps.size(); number++) {
      assertThat(steps.get(number).group(1)).isEqualTo(String.valueOf(number + 1));
    }
    assertThat(walk.split("\\.java`", -1))
        .as("files are named in steps only")
        .hasSize(steps.size() + 1);
  }
}
