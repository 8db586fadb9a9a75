package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

class BenchComputeCommandTest {
  @Test
  void framesOfAllDevicesAreTheSameAsThoseOfThePlainLoop() {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command = Main.commandLine();
    command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));

    int code =
        command.execute(
            "bench",
            "compute",
            "--json",
            "--rounds",
            "1",
            "--frames",
            "2",
            "--devices",
            "opencl:0/2,cpu:1");

    assertThat(code).as(err.toString()).isZero();
    assertThat(out.toString().lines()).hasSize(1);
    JsonNode figures = new ObjectMapper().readTree(out.toString());
    assertThat(figures.get("devices")).hasSize(3);
    assertThat(figures.get("devices").get(0).get("id").asString()).isNotBlank();
    assertThat(figures.get("devices").get(0).get("framesPerSecond").isNumber()).isTrue();
    assertThat(figures.get("verified").asBoolean()).isTrue();
    assertThat(figures.get("verifiedFrames").asInt()).isEqualTo(6);
    assertThat(figures.get("scaling").asDouble()).isPositive();
    assertThat(figures.get("schedulerShare").asDouble()).isBetween(0.0, 1.0);
  }
}
