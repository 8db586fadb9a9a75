package dev.fairlead.media.av;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.bytedeco.ffmpeg.global.avutil;
import org.junit.jupiter.api.Test;

/** An encoder shares the machine with others, whoever runs it; root is who could keep it. */
class UsualPriorityTest {
  /** Where the policy is in a thread's {@code stat}, counted after the name in brackets. */
  private static final int POLICY = 38;

  @Test
  void noThreadIsARealTimeThreadWhileAnEncoderIsOpen() throws IOException {
    try (Encoder encoder =
        Encoder.open(
            "libsvtav1",
            context -> {
              context.width(64);
              context.height(64);
              context.pix_fmt(avutil.AV_PIX_FMT_YUV420P);
              context.time_base().num(1).den(25);
            },
            Map.of("preset", "10"))) {
      assertThat(encoder.context().width()).isEqualTo(64);
      assertThat(realTimeThreads()).isEmpty();
    }
    assertThat(realTimeThreads()).isEmpty();
  }

  private static List<String> realTimeThreads() throws IOException {
    List<String> found = new ArrayList<>();
    try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
      for (Path thread : threads.toList()) {
        String stat = stat(thread);
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
        if (fields.length > POLICY && !fields[POLICY].equals("0")) {
          found.add(stat);
        }
      }
    }
    return found;
  }

  private static String stat(Path thread) {
    try {
      return Files.readString(thread.resolve("stat"));
    } catch (IOException ended) {
      return ")";
    }
  }
}
