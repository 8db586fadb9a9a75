package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.benchmarks.JobsBench;
import dev.fairlead.media.json.JsonEvents;
import dev.fairlead.media.plan.MemoryParts;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class BenchJobsCommandTest {
  private static final MemoryParts PARTS = new MemoryParts(1, 2, 3, 4, 1L << 28);
  private static final JobsBench.Figures FIGURES =
      new JobsBench.Figures(
          new JobsBench.Walls(0.8, 80, 100),
          new JobsBench.Walls(1.1, 5.5, 5),
          new JobsBench.Memory(1L << 30, 2L << 30, List.of(PARTS, PARTS)));

  @Test
  void figuresAreOneJsonObject() {
    JsonNode node = JsonEvents.JSON.readTree(BenchJobsCommand.json(FIGURES));
    assertThat(node.get("togetherOverSequential").asDouble()).isEqualTo(0.8);
    assertThat(node.get("besideCrashingOverIdle").asDouble()).isEqualTo(1.1);
    assertThat(node.get("peakMemoryBytes").asLong()).isEqualTo(1L << 30);
    assertThat(node.get("memoryBytes").asLong()).isEqualTo(2L << 30);
    assertThat(node.get("grants")).hasSize(2);
    assertThat(node.get("grants").get(1).get("sound").asLong()).isEqualTo(1L << 28);
  }

  @Test
  void peopleReadATable() {
    assertThat(BenchJobsCommand.table(FIGURES))
        .contains("0.800", "80.0 s against 100.0 s", "5.5 s against 5.0 s", "sound 268.4 MB");
  }

  @Test
  void whatMakesNoSenseIsSaidBeforeAnyWork() {
    assertThat(TestingCommand.run("bench", "jobs", "--rounds", "0").code()).isEqualTo(2);
    assertThat(TestingCommand.run("bench", "jobs", "--memory", "much").code()).isEqualTo(2);
  }
}
