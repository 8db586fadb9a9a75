package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.stats.CostModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class ModelCommandTest {
  private static final Device FULL = Device.of(DeviceKind.CPU, 0);
  private static final Device SLOWED = Device.of(DeviceKind.CPU, 1).withWeight(0.25);

  @TempDir private Path directory;

  @Test
  void showsWhatHasBeenLearned() {
    Path file = directory.resolve("state").resolve("costs");
    new ModelFile(file).save(learned(2), List.of(FULL));

    TestingCommand table = TestingCommand.run("model", "--model", file);
    TestingCommand json = TestingCommand.run("model", "--model", file, "--json");

    assertThat(table.out()).contains("cpu:0", "av1 preset 10 360p", "0.5000 s", "KIND OF WORK");
    JsonNode entry = JsonEvents.JSON.readTree(json.out()).get("entries").get(0);
    assertThat(entry.get("secondsPerSize").asDouble()).isEqualTo(0.5);
    assertThat(entry.get("samples").asLong()).isEqualTo(4);
    assertThat(entry.get("confidence").asDouble()).isPositive();
  }

  @Test
  void saysThatThereIsNothingYet() {
    TestingCommand run = TestingCommand.run("model", "--model", directory.resolve("costs"));

    assertThat(run.code()).isZero();
    assertThat(run.out()).startsWith("Nothing has been learned yet");
  }

  @Test
  void namesTheLineOfAFileThatIsBroken() throws IOException {
    Path file = directory.resolve("costs");
    Files.writeString(file, "fairlead-cost-model 2\ncpu:0\tencode\tfast\n");

    TestingCommand run = TestingCommand.run("model", "--model", file);

    assertThat(run.code()).isNotZero();
    assertThat(run.err()).contains(file + " line 2");
  }

  @Test
  void aLaneThatWasSlowedDownForARehearsalIsNotRemembered() {
    ModelFile file = new ModelFile(directory.resolve("costs"));
    file.save(learned(2), List.of(FULL, Device.of(DeviceKind.CPU, 1)));

    CostModel model = file.open(List.of(FULL, SLOWED));
    assertThat(model.seconds(SLOWED.id(), "av1 preset 10 360p", 1)).isNaN();
    assertThat(model.seconds(FULL.id(), "av1 preset 10 360p", 1)).isEqualTo(0.5);

    file.save(learned(8), List.of(FULL, SLOWED));
    CostModel kept = file.read();
    assertThat(kept.seconds(FULL.id(), "av1 preset 10 360p", 1)).isEqualTo(2);
    assertThat(kept.seconds(SLOWED.id(), "av1 preset 10 360p", 1)).as("as before").isEqualTo(0.5);
  }

  private static CostModel learned(double seconds) {
    CostModel model = new CostModel();
    for (int i = 0; i < 4; i++) {
      model.record(FULL.id(), "av1 preset 10 360p", 4, seconds);
      model.record(SLOWED.id(), "av1 preset 10 360p", 4, seconds);
    }
    return model;
  }
}
