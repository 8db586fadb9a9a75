package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.benchmarks.FairnessBench;
import dev.fairlead.media.json.JsonEvents;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class BenchFairnessCommandTest {
  private static FairnessBench.Figures figures(double deviation, int others) {
    return new FairnessBench.Figures(
        deviation, Map.of("busy", 0.7614, "other", 0.2386), others, 2, 40, 23);
  }

  @Test
  void figuresAreOneJsonObject() {
    JsonNode node = JsonEvents.JSON.readTree(BenchFairnessCommand.json(figures(0.0213, 1)));
    assertThat(node.get("worstDeviation").asDouble()).isEqualTo(0.0213);
    assertThat(node.get("shares").get("busy").asDouble()).isEqualTo(0.7614);
    assertThat(node.get("othersStartedBeforeUrgent").asInt()).isEqualTo(1);
    assertThat(node.get("lanes").asInt()).isEqualTo(2);
    assertThat(node.get("seconds").asInt()).isEqualTo(40);
    assertThat(node.get("jobs").asInt()).isEqualTo(23);
  }

  @Test
  void peopleReadWhetherTheGoalsAreReached() {
    assertThat(BenchFairnessCommand.table(figures(0.05, 2)))
        .contains("0.050 at the worst from second 10 on: within 0.05")
        .contains("2 chunks of others were begun before its first: within 2");
    assertThat(BenchFairnessCommand.table(figures(0.0501, 3)))
        .contains("more than 0.05", "more than 2");
  }

  @Test
  void whatMakesNoSenseIsSaidBeforeAnyWork() {
    assertThat(TestingCommand.run("bench", "fairness", "--rounds", "0").code()).isEqualTo(2);
    TestingCommand run = TestingCommand.run("bench", "fairness", "--seconds", "10");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("--seconds is more than 10");
  }
}
