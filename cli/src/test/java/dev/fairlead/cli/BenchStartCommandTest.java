package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

class BenchStartCommandTest {
  @Test
  void givesItsFiguresAsOneJsonObject() {
    TestingCommand run = TestingCommand.run("bench", "start", "--json", "--rounds", "1");

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out().lines()).hasSize(1);
    JsonNode figures = new ObjectMapper().readTree(run.out());
    assertThat(figures.propertyNames())
        .containsExactlyInAnyOrder(
            "transcodeWallSeconds",
            "transcodeCpuSeconds",
            "probeWallSeconds",
            "ffmpegWallSeconds",
            "rounds");
    for (String figure : figures.propertyNames()) {
      assertThat(figures.get(figure).asDouble()).as(figure).isPositive();
    }
    assertThat(figures.get("rounds").asInt()).isEqualTo(1);
  }
}
