package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

class DevicesCommandTest {
  private static String run(Writer out, String... arguments) {
    CommandLine command = Main.commandLine();
    command.setOut(new PrintWriter(out));
    assertThat(command.execute(arguments)).isZero();
    return out.toString();
  }

  @Test
  void listsLanesAndOpenClDevicesWithHealthAndLoad() {
    JsonNode listed = new ObjectMapper().readTree(run(new StringWriter(), "devices", "--json"));

    JsonNode lane = device(listed, "cpu:0");
    assertThat(lane.get("kind").asString()).isEqualTo("cpu");
    assertThat(lane.get("memoryFreeBytes").isNull()).as("a lane cannot tell").isTrue();
    assertThat(lane.get("encodes").valueStream().map(JsonNode::asString)).contains("av1", "h264");
    JsonNode opencl = device(listed, "opencl:0");
    assertThat(opencl.get("encodes")).isEmpty();
    assertThat(opencl.get("health").asString()).isEqualTo("ready");
    assertThat(opencl.get("memoryFreeBytes").asLong())
        .isEqualTo(opencl.get("memoryBytes").asLong());
    assertThat(opencl.get("load").get("outstanding").asInt()).isZero();
    assertThat(opencl.get("sharesHostCores").asBoolean())
        .isEqualTo(opencl.get("name").asString().contains("same cores as the CPU lanes"));
  }

  @Test
  void whatIsPrintedFirstSelectsThatDeviceAlone() {
    String[] terms = {"devices", "--devices", "cpu:2,cpu:1*0.25,opencl", "--json"};
    JsonNode listed = new ObjectMapper().readTree(run(new StringWriter(), terms)).get("devices");
    String table = run(new StringWriter(), "devices", "--devices", terms[2]);

    assertThat(listed).hasSizeGreaterThan(3);
    for (JsonNode device : listed) {
      String term = device.get("term").asString();
      JsonNode again =
          new ObjectMapper()
              .readTree(run(new StringWriter(), "devices", "--devices", term, "--json"))
              .get("devices");
      assertThat(table.lines()).anyMatch(line -> line.startsWith(term + " "));
      assertThat(again).as(term).hasSize(1);
      assertThat(again.get(0).get("name")).isEqualTo(device.get("name"));
      assertThat(again.get(0).get("label")).isEqualTo(device.get("label"));
    }
  }

  private static JsonNode device(JsonNode listed, String label) {
    for (JsonNode each : listed.get("devices")) {
      if (each.get("label").asString().equals(label)) {
        return each;
      }
    }
    throw new AssertionError(label + " is not in " + listed);
  }

  @Test
  void theTableSaysWhichDevicesShareCores() {
    assertThat(run(new StringWriter(), "devices", "--devices", "cpu:1,opencl:0/2"))
        .contains("part 1 of 2 of ")
        .contains("work on the same cores: what they can do does not add up");
  }

  @Test
  void whatCannotBeUsedIsListedWithItsReason() {
    assertThat(run(new StringWriter(), "devices", "--devices", "opencl:99"))
        .contains("Cannot be used: opencl:99: there are OpenCL devices 0 to ");
  }

  @Test
  void watchingRefreshesUntilNobodyReads() {
    StringWriter text = new StringWriter();
    Writer closedAfterTwo =
        new Writer() {
          @Override
          public void write(char[] from, int offset, int length) throws IOException {
            if (text.toString().lines().count() >= 2) {
              throw new IOException("closed");
            }
            text.write(from, offset, length);
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };

    run(closedAfterTwo, "devices", "--devices", "cpu:1", "--json", "--watch");

    assertThat(text.toString().lines()).hasSize(2).allMatch(line -> line.contains("\"cpu:0\""));
  }
}
