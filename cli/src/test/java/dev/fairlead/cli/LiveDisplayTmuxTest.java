package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The live screen in a real terminal, whose window changes its size all the time. */
class LiveDisplayTmuxTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final List<String> BARS = List.of("total", "1080p ", "720p ", "360p ", "audio1");

  private static final AtomicInteger TERMINALS = new AtomicInteger();

  /** Of its own for each test: a terminal that ends would take the next one's session with it. */
  private final String socket =
      "fairlead-test-%d-%d".formatted(ProcessHandle.current().pid(), TERMINALS.incrementAndGet());

  private String tmux(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("tmux", "-f", "/dev/null", "-L", socket));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return printed;
  }

  @AfterEach
  void endTheTerminal() throws IOException, InterruptedException {
    tmux("kill-server");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 12, 64})
  void noRowIsStaleHoweverTheWindowChanges(int lanes) throws Exception {
    tmux(
        "new-session",
        "-d",
        "-x",
        "80",
        "-y",
        "24",
        "env",
        "TERM=screen",
        "sh",
        "-c",
        "stty -echo -icanon && exec \"$@\"",
        "sh",
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
        System.getProperty("java.class.path"),
        LiveDisplayPlayer.class.getName(),
        String.valueOf(lanes));
    int[][] sizes = {
      {80, 24}, {40, 24}, {200, 60}, {60, 8}, {120, 60}, {40, 8}, {200, 8}, {80, 60}, {40, 40}
    };
    for (int[] size : sizes) {
      tmux("send-keys", "-l", "steps ".repeat(lanes));
      tmux("resize-window", "-x", String.valueOf(size[0]), "-y", String.valueOf(size[1]));
      List<String> rows = await(screen -> isClean(screen, size[1], lanes));

      assertThat(rows)
          .as("%d lanes in %dx%d", lanes, size[0], size[1])
          .hasSizeLessThan(size[1] + 1);
    }
  }

  /**
   * What the window shows, once it is as it should be; the test fails with it if it never is. Each
   * look is a step of the run: a terminal tells programs of a new size when it likes.
   */
  private List<String> await(Predicate<List<String>> clean)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      tmux("send-keys", "-l", "x");
      List<String> rows = tmux("capture-pane", "-p").stripTrailing().lines().toList();
      if (clean.test(rows)) {
        return rows;
      }
      assertThat(System.nanoTime() - end).as(String.join("\n", rows)).isNegative();
    }
  }

  /** Each bar and each device once, and nothing but notices above them. */
  private static boolean isClean(List<String> rows, int height, int lanes) {
    int first = first(rows);
    List<String> drawn = first < 0 ? List.of() : rows.subList(first, rows.size());
    long bars = drawn.stream().filter(LiveDisplayTmuxTest::isBar).count();
    long devices = drawn.stream().filter(LiveDisplayTmuxTest::isDevice).count();
    boolean all = 1 + 3 + 1 + lanes <= height - 1;
    return first >= 0
        && rows.stream().filter(row -> row.startsWith("total")).count() == 1
        && bars + devices == drawn.size()
        && bars == BARS.size()
        && (all ? devices == lanes : devices >= 1)
        && drawn.stream().filter(LiveDisplayTmuxTest::isDevice).distinct().count() == devices
        && rows.subList(0, first).stream().noneMatch(row -> isBar(row) || isDevice(row));
  }

  private static int first(List<String> rows) {
    for (int i = 0; i < rows.size(); i++) {
      if (rows.get(i).startsWith("total")) {
        return i;
      }
    }
    return -1;
  }

  private static boolean isBar(String row) {
    return BARS.stream().anyMatch(row::startsWith) && row.contains("[");
  }

  private static boolean isDevice(String row) {
    return row.matches("(cpu:\\d+|\\d+ lanes) .*");
  }
}
