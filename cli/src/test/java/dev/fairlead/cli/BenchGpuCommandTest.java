package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

class BenchGpuCommandTest {
  @Test
  void givesWhatTheBooksOfTheCardsSayAsOneJsonObject() {
    TestingCommand run =
        TestingCommand.run(
            "bench", "gpu", "--cards", "2", "--seconds", "4", "--rounds", "1", "--json");

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out().lines()).hasSize(1);
    JsonNode figures = new ObjectMapper().readTree(run.out());
    assertThat(figures.get("cards").asInt()).isEqualTo(2);
    assertThat(figures.get("contextsOpened").asInt()).isEqualTo(2);
    assertThat(figures.get("sessionsPeak").asInt())
        .isBetween(1, figures.get("sessionsLimit").asInt());
    assertThat(figures.get("makespanOverBound").asDouble()).isGreaterThanOrEqualTo(1);
    assertThat(figures.get("cardReadyShare").asDouble()).isBetween(0.0, 1.0);
    assertThat(figures.get("fed").get(0).get("cards").asInt()).isEqualTo(1);
    assertThat(figures.get("fed").get(0).get("picturesPerSecond").asDouble()).isPositive();
    assertThat(figures.get("cardsFed").asInt()).isNotNegative();
  }

  @Test
  void refusesMoreCardsThanThereAreDoublesOf() {
    TestingCommand run = TestingCommand.run("bench", "gpu", "--cards", "17");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("--cards is 1 to 16");
  }
}
