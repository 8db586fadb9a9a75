package dev.fairlead.backends.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuHostTest {
  @TempDir private Path directory;

  @Test
  void isTheMachineThatThisRunsOn() {
    CpuHost host = CpuHost.here();

    assertThat(host.processors()).isEqualTo(Runtime.getRuntime().availableProcessors());
    assertThat(host.memoryBytes()).isGreaterThanOrEqualTo(Runtime.getRuntime().totalMemory());
  }

  @Test
  void readsTheModelOfTheFirstProcessor() throws IOException {
    assertThat(
            model(
                "processor\t: 0\nmodel\t\t: 17\nmodel name\t: Some  CPU @ 2.00GHz \nmodel name\t: Other\n"))
        .isEqualTo("Some CPU @ 2.00GHz");
  }

  @Test
  void hasNoModelWhereTheSystemTellsNone() throws IOException {
    assertThat(model("processor\t: 0\nCPU implementer\t: 0x41\n")).isEmpty();
    assertThat(model("model name\t: \n")).isEmpty();
    assertThat(model("")).isEmpty();
    assertThat(CpuHost.model(directory.resolve("absent"))).isEmpty();
    assertThat(CpuHost.model(directory)).as("not a file").isEmpty();
  }

  private String model(String text) throws IOException {
    return CpuHost.model(Files.writeString(directory.resolve("cpuinfo"), text));
  }
}
